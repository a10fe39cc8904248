import { wirelessRule } from '@/model/firewall/wireless'
import { bandwidthRule } from '@/model/traffic/bandwidth'
import type { NativeBlock, Rendered, Renderer, RenderInput } from '../../driver'
import { missingNeed } from '../../needs'
import { renderOnce } from '../../render-once'
import { quote } from '../../shell'
import { blockedClients } from '../../unix/blocked'
import { ssidLimits } from '../../unix/ssid-limits'
import { wirelessRules } from '../../unix/wireless-rules'
import { type Area, blockPath, fileBlock, verifyAll } from '../area/area'
import { ownFile } from '../area/rules-file'
import { scriptUnit, unitPath } from '../base/oneshot'
import { wifiRenderer } from '../wifi/wifi'
import { sentNetworks } from '../wifi/wifi-back'

// What two clients of one access point send each other stays in the radio, where no rule, rate or block sees it. Where
// there is one, hostapd is told to keep them apart there, and the bridge's port sends their frames back. Both are set while
// hostapd runs: its file, and so the air, stays as it is. The interface of a VLAN that a private key leads to has no
// such switch in the kernel: two clients there stay in the radio.

const kind = wirelessRule.id
const unit = 'lanward-wifi-clients'
const file = '/etc/lanward/wifi-clients.sh'
/** Of every radio's hostapd: its interfaces come anew whenever it starts. */
const startPath = '/etc/systemd/system/lanward-hostapd@.service.d/clients.conf'
const startText = `[Service]
ExecStartPost=-/bin/sh -c '[ ! -e ${file} ] || exec systemctl --no-block restart ${unit}.service'
`

/** Longer than any radio listens for radar: only then its other networks come. */
const waitSeconds = 660

// The port first: clients that are kept apart and whose frames nobody sends back would not reach each other at all. Only
// networks of ours whose port sends back were kept apart here; hostapd does there again what its file says.
const functions = `hairpin() { echo "/sys/class/net/$1/brport/hairpin_mode"; }
cli() { of=$1; shift; hostapd_cli -p /run/hostapd -i "$of" "$@" </dev/null 2>/dev/null; }
# While it listens for radar it is not to begin.
enabled() { cli "$1" status | grep -qx state=ENABLED; }
isolate() { [ "$(cli "$1" set ap_isolate "$2")" = OK ] && { ! enabled "$1" || [ "$(cli "$1" update_beacon)" = OK ]; }; }
clear_clients() {
  for one in /run/hostapd/*; do
    one=\${one##*/}
    [ "$(cat "$(hairpin "$one")" 2>/dev/null)" = 1 ] || continue
    was=$(sed -n "/^\\(interface\\|bss\\)=$one$/,/^ap_isolate=/s/^ap_isolate=//p" /etc/hostapd/lanward-*.conf 2>/dev/null)
    [ -n "$was" ] || continue
    isolate "$one" "$was"
    echo 0 >"$(hairpin "$one")"
  done
}`

const scriptText = (names: readonly string[]) => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
names=${quote(names.join(' '))}
${functions}
bring() {
  [ -e "$(hairpin "$1")" ] && enabled "$1" && echo 1 >"$(hairpin "$1")" || return 1
  isolate "$1" 1 || { echo 0 >"$(hairpin "$1")"; return 1; }
}
if [ "$1" = check ]; then
  for one in $names; do
    ! enabled "$one" || [ "$(cat "$(hairpin "$one")" 2>/dev/null)" = 1 ] || { echo "$one: hairpin off" >&2; exit 1; }
  done
  exit 0
fi
clear_clients
left=${waitSeconds}
while :; do
  rest=
  for one in $names; do bring "$one" || rest="$rest $one"; done
  names=$rest
  [ -n "$names" ] && [ $left -gt 0 ] || exit 0
  left=$((left - 1)); sleep 1
done
`

/** Interfaces whose clients' frames to each other are to be judged. */
function judged(input: RenderInput): string[] {
  const { documents, observation } = input
  const rules = wirelessRules(documents)
  const isAbout = ({ name }: { name: string }) =>
    rules.some(({ network }) => network === undefined || network === name) ||
    ssidLimits(documents).some(({ network }) => network === name) ||
    blockedClients(documents).some(({ until }) => until !== undefined)
  // Another bridge than the kernel's own sends nothing back, and what has no radio has nothing to stay in.
  const isBridged = ({ bridge, driver }: { bridge?: string | undefined; driver?: string | undefined }) =>
    driver !== 'none' && observation?.interfaces?.some(one => one.name === bridge && one.type === 'bridge') === true
  return sentNetworks(renderOnce(wifiRenderer, input).blocks)
    .filter(one => !one.isolation && isBridged(one) && isAbout(one))
    .map(one => one.interface)
}

function render(input: RenderInput): Rendered {
  const { facts } = input
  const nothing = { blocks: [], warnings: [] }
  // Rules and limits say themselves what they lack.
  if (!facts.capabilities.includes('wifi') || missingNeed(facts, ['root', 'systemd', 'hostapd'])) return nothing
  const names = judged(input)
  if (names.length === 0) return nothing
  const texts = { file, description: 'Clients of one access point, as set in Lanward', after: 'network.target' }
  const blocks: NativeBlock[] = [
    fileBlock(file, scriptText(names), { kind }),
    fileBlock(unitPath(unit), scriptUnit(texts), { kind }),
    fileBlock(startPath, startText, { kind }),
  ]
  return { blocks, warnings: [] }
}

export const wifiClientsRenderer: Renderer = {
  kinds: [kind, bandwidthRule.id, ...wifiRenderer.kinds],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
}

/** The service is not waited for: on a channel with radar detection interfaces come late. */
export const wifiClientsArea: Area = {
  files: [ownFile(file, '644'), ownFile(unitPath(unit), '644'), ownFile(startPath, '644')],
  settle: () => [
    `if [ -e ${file} ]; then systemctl --no-block restart ${unit}.service || return 1
else
serve stop ${unit}.service 2>/dev/null
(
${functions}
clear_clients
)
fi
:`,
  ],
  verify: (session, blocks) =>
    verifyAll(
      session,
      blocks.some(block => blockPath(block) === file)
        ? [{ line: `sh ${file} check`, warning: { code: 'wifiClientsDown', kind } }]
        : [],
      20_000,
    ),
}
