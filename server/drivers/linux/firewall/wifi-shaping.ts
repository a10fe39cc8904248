import { bandwidthRule } from '@/model/traffic/bandwidth'
import type { Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import { renderOnce } from '../../render-once'
import { quote } from '../../shell'
import { queueLines, queuesText } from '../../unix/bandwidth'
import { type SsidLimit, ssidLimits } from '../../unix/ssid-limits'
import { type Area, blockPath, fileBlock, verifyAll } from '../area/area'
import { ownFile } from '../area/rules-file'
import { type Oneshot, unitPath, unitText } from '../base/oneshot'
import { wifiQueuesFile, wifiQueuesUnit, wifiRenderer } from '../wifi/wifi'
import { sentOver } from '../wifi/wifi-back'

const kind = bandwidthRule.id
const handle = '4c58'
/** Everything of a network is in one class: where htb finds none it takes this one. */
const whole = '1'

const queues: Oneshot = {
  name: wifiQueuesUnit,
  file: wifiQueuesFile,
  description: 'Queues of limited Wi-Fi networks, as set in Lanward',
  after: 'network.target',
  start: [`/bin/sh ${wifiQueuesFile} start`],
  stop: [`/bin/sh ${wifiQueuesFile} stop`],
}

// What clients send is seen as it comes in, where nothing can wait: it goes through an interface made for that, and back.
const incoming = `# DEV QUEUE: what comes in on DEV waits on QUEUE
from() {
  if [ "$verb" = start ]; then
    await "$1"
    ip link add "$2" type ifb && ip link set "$2" up && tc qdisc add dev "$1" ingress &&
      tc filter add dev "$1" parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev "$2" ||
      { failed=1; return 1; }
    dev=$2
    root
  else
    [ ! -e "/sys/class/net/$1" ] || tc filter show dev "$1" parent ffff: | grep -q " $2)" || { echo "$1 has no $2" >&2; failed=1; }
    dev=$2
  fi
}
`
// The way there goes first: packets that are sent to an interface that is gone are lost. tc writes * for such a one.
const cleared = `    tc filter show dev "$one" parent ffff: 2>/dev/null | grep -q -e ' lwq[0-9]*)' -e ' [*])' && tc qdisc del dev "$one" ingress
`
const gone = `  for one in /sys/class/net/lwq[0-9]*; do [ ! -e "$one" ] || ip link del "\${one##*/}"; done
`

type Held = { limit: SsidLimit; interface: string; ofVlan: boolean }

/** An interface that is not there sends nothing: nothing is missing on it. */
const held = ({ limit: { upload, download }, interface: name }: Held, at: number): string[] => {
  const there = `[ "$verb" = start ] || [ -e ${quote(`/sys/class/net/${name}`)} ]`
  const one = (begin: string, kbps: number | undefined) =>
    kbps === undefined ? [] : [`${begin} && {`, ...queueLines([{ class: whole, kbps }]), '}']
  return [
    `if ${there}; then`,
    ...one(`on ${quote(name)}`, download),
    ...one(`from ${quote(name)} lwq${at}`, upload),
    'fi',
  ]
}

/** A queue is of one interface: what several have would each get the whole rate. */
const apart = (all: readonly Held[]): Warning[] =>
  [...new Set(all.flatMap(one => (one.ofVlan ? [one.limit] : [])))].map(({ id, name }) => ({
    ...{ code: 'limitVlans', kind, document: id, values: { rule: name } },
  }))

function obstacles({ facts, observation }: RenderInput, used: readonly string[]): Warning[] {
  const lacking = missingNeed(facts, ['root', 'systemd', 'tc'])
  if (lacking) return [{ code: `needs.${lacking}`, kind, blocks: true }]
  return (observation?.interfaces ?? []).flatMap(({ name, shaper }) =>
    shaper && used.includes(name)
      ? [{ code: 'queueUnmanaged', kind, blocks: true, values: { interface: name, queue: shaper } }]
      : [],
  )
}

function render(input: RenderInput): Rendered {
  const limits = ssidLimits(input.documents)
  if (limits.length === 0 || !input.facts.capabilities.includes('wifi')) return { blocks: [], warnings: [] }
  const sent = sentOver(renderOnce(wifiRenderer, input).blocks)
  const all = limits.flatMap(limit =>
    sent
      .filter(one => one.name === limit.network)
      .map(({ interface: name, ofVlan }) => ({ limit, interface: name, ofVlan })),
  )
  const idle: Warning[] = limits
    .filter(limit => !all.some(one => one.limit === limit))
    .map(({ id, name }) => ({ code: 'ruleWithoutNetwork', kind, document: id, values: { rule: name } }))
  if (all.length === 0) return { blocks: [], warnings: idle }
  const warnings = obstacles(
    input,
    all.map(one => one.interface),
  )
  if (warnings.length > 0) return { blocks: [], warnings: [...idle, ...warnings] }
  const text = queuesText({ handle, waitSeconds: 60, more: incoming, cleared, gone, lines: all.flatMap(held) })
  const about = { kind, ...(limits.length === 1 && { document: limits[0]?.id }) }
  return {
    blocks: [fileBlock(queues.file, text, about), fileBlock(unitPath(queues.name), unitText(queues))],
    warnings: [...idle, ...apart(all)],
  }
}

/** Bandwidth rules of Wi-Fi networks, held on the interfaces that send them out. */
export const wifiShapingRenderer: Renderer = {
  kinds: [kind, ...wifiRenderer.kinds],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
}

/**
 * hostapd starts the service whenever it has started itself: its interfaces come anew then. It is not waited for: on a
 * channel with radar detection they come late.
 */
export const wifiQueuesArea: Area = {
  files: [ownFile(queues.file, '644'), ownFile(unitPath(queues.name), '644')],
  settle: () => [
    `if [ -e ${queues.file} ]; then systemctl --no-block restart ${queues.name}.service || return 1
else
serve stop ${queues.name}.service 2>/dev/null
for one in /sys/class/net/*; do
one=\${one##*/}
if tc qdisc show dev "$one" 2>/dev/null | grep -q '^qdisc htb ${handle}:'; then tc qdisc del dev "$one" root; fi
${cleared}done
${gone}fi
:`,
  ],
  verify: (session, blocks) =>
    verifyAll(
      session,
      blocks.some(block => blockPath(block) === queues.file)
        ? [{ line: `sh ${queues.file} check`, warning: { code: 'queuesDown', kind, values: { error: queues.name } } }]
        : [],
      20_000,
    ),
}
