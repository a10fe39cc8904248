import type { NativeBlock, Warning } from '../../driver'
import { quote } from '../../shell'
import { parseHostapdStatus } from '../../unix/hostapd'
import { scheduledBy } from '../../unix/schedules'
import { type Area, blockPath, follow, named, nameIn } from '../area/area'
import { type LinuxSession, script } from '../observe/observe'
import { keysScriptPath } from './voucher-keys'
import { confPath, nowPath, scheduledPath, unitName, unitPath } from './wifi'

/** Of a radio's configuration, its start, its power, or the VLANs of a network's keys. */
const radioOf = (path: string) =>
  /\/lanward-(?:hostapd-)?([A-Za-z0-9._-]+)\.conf$/.exec(path)?.[1] ??
  /\/lanward-([A-Za-z0-9._-]+)\.power$/.exec(path)?.[1] ??
  /\/lanward-([A-Za-z0-9._-]+)-\w+\.vlans$/.exec(path)?.[1] ??
  nameIn(scheduledUnits, path)[0]

const scheduledUnits = named(scheduledPath('*'))

const isList = (path: string) => /\.(?:macs|psk)$/.test(path)

/**
 * Makes the lists and keys that a running hostapd holds what their files say, without taking a network down; who is put
 * on a list of those not let in, or whose key is gone, loses the connection at once. A radio that has begun anew has read them itself.
 */
const followLists = `[ "$mode" = boot ] || {
[ ! -e ${keysScriptPath} ] || sh ${keysScriptPath}
one_list() {
  now=$(hostapd_cli -p /run/hostapd -i "$2" "$1_acl" SHOW </dev/null 2>/dev/null) || return 0
  now=$(printf '%s\\n' "$now" | sed -n 's/^\\([0-9a-f:]\\{17\\}\\).*/\\1/p')
  for mac in $now; do
    grep -qx "$mac" "$3" || tell_list "$2" "$1_acl" DEL_MAC "$mac" || return 1
  done
  for mac in $(sed -n '/^[0-9a-f]/p' "$3"); do
    case "
$now
" in *"
$mac
"*) ;; *) tell_list "$2" "$1_acl" ADD_MAC "$mac" || return 1 ;; esac
  done
}
keys() {
  hostapd_cli -p /run/hostapd -i "$1" ping </dev/null >/dev/null 2>&1 || return 0
  tell_list "$1" reload_wpa_psk || return 1
  hostapd_cli -p /run/hostapd -i "$1" all_sta </dev/null | sed -n '/^[0-9a-f:]\\{17\\}$/h;/^keyid=/{H;x;s/\\n/ /;p}' |
  while read -r mac key; do
    grep -q "^$key " "$2" || tell_list "$1" deauthenticate "$mac" </dev/null || return 1
  done
}
tell_list() {
  bss=$1; shift
  said=$(hostapd_cli -p /run/hostapd -i "$bss" "$@" </dev/null 2>&1)
  [ "$said" = OK ] || { echo "$bss $*: $said" >&2; return 1; }
}
for conf in /etc/hostapd/lanward-*.conf; do
  [ -e "$conf" ] || continue
  while IFS== read -r key value; do
    case $key in
      interface|bss) of=$value ;;
      accept_mac_file) one_list accept "$of" "$value" || return 1 ;;
      deny_mac_file) one_list deny "$of" "$value" || return 1 ;;
      wpa_psk_file) keys "$of" "$value" || return 1 ;;
    esac
  done <"$conf"
done
}
:`

function settle(changed: readonly string[], all: readonly string[]): string[] {
  const following = changed.includes(unitPath) ? all : changed
  const radios = [...new Set(following.flatMap(path => radioOf(path) ?? []))]
  return [
    // Whether hostapd could start is asked when proving: systemctl says so only now and then, as it is faster or slower.
    ...radios.map(radio => `${follow(confPath(radio), unitName(radio))}\n:`),
    ...(changed.some(isList) ? [followLists] : []),
  ]
}

/** Configured BSSs of a hostapd file: its interface and how many networks it names. */
function expected(block: NativeBlock) {
  const values = (key: string) =>
    [...block.text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(match => match[1] ?? '')
  const scheduled = scheduledBy(block.text).length > 0
  return {
    radio: radioOf(block.id) ?? '',
    name: values('interface')[0] ?? '',
    count: values('ssid2').length,
    scheduled,
  }
}

/** By schedule no network of the radio is sent out now: then hostapd does not run for it. */
async function silent(session: LinuxSession, { radio, scheduled, count }: ReturnType<typeof expected>) {
  if (!scheduled) return false
  const { stdout } = await script(session, `grep -c '^start_disabled=1$' ${quote(nowPath(radio))}`, [], 10_000)
  return Number(stdout) === count
}

const settleMs = 12_000

/** hostapd has to say ENABLED and to carry as many networks as planned; it may take a moment to get there. */
async function verify(session: LinuxSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const wanted = blocks.filter(block => /^\/etc\/hostapd\/.*\.conf$/.test(blockPath(block))).map(expected)
  const until = Date.now() + settleMs
  const problems: Warning[] = []
  for (const one of wanted) {
    const { radio, name, count } = one
    for (;;) {
      const ask = `exec hostapd_cli -p /run/hostapd -i ${quote(name)} status`
      const { stdout } = await script(session, ask, [], 10_000)
      const { bss } = parseHostapdStatus(stdout, radio)
      if (bss.length === count ? bss.every(({ up }) => up) : bss.length === 0 && (await silent(session, one))) break
      if (Date.now() > until) {
        // Without a state nothing answers: no hostapd. With one it may still be on its way, as while it listens for radar.
        const said = /^state=(\w+)/m.exec(stdout)?.[1]
        const values = { radio, state: said ?? 'DOWN' }
        problems.push({ code: 'hostapdDown', kind: 'ssid', values, stopped: said === undefined })
        break
      }
      await new Promise(wake => setTimeout(wake, 500))
    }
  }
  return problems
}

/** hostapd's files: one configuration and one start a radio, and the unit they share. */
export const wifiArea: Area = {
  files: [
    { path: /^\/etc\/hostapd\/lanward-[A-Za-z0-9._-]+\.conf$/, glob: '/etc/hostapd/lanward-*.conf', mode: '600' },
    { path: /^\/etc\/hostapd\/lanward-[A-Za-z0-9._-]+\.macs$/, glob: '/etc/hostapd/lanward-*.macs', mode: '600' },
    named('/etc/hostapd/lanward-*.psk', '600'),
    named('/etc/hostapd/lanward-*.vlans', '600'),
    { path: /^\/etc\/hostapd\/lanward-[A-Za-z0-9._-]+\.power$/, glob: '/etc/hostapd/lanward-*.power', mode: '600' },
    { path: /^\/etc\/systemd\/system\/lanward-hostapd@\.service$/, glob: unitPath, mode: '644' },
    {
      path: /^\/etc\/systemd\/system\/multi-user\.target\.d\/lanward-hostapd-[A-Za-z0-9._-]+\.conf$/,
      glob: '/etc/systemd/system/multi-user.target.d/lanward-hostapd-*.conf',
      mode: '644',
    },
    scheduledUnits,
  ],
  secret:
    /^(wpa_passphrase=|wpa_psk=|sae_password=|wep_key0=|auth_server_shared_secret=|acct_server_shared_secret=|radius_das_client=[0-9a-f.:]+ |r0kh=|r1kh=|keyid=[0-9a-f]+ (?:vlanid=\d+ )?[0-9a-f:]{17} )(.*)$/gm,
  settle,
  verify,
}
