import type { NativeBlock, Warning } from '../../driver'
import type { WanReading } from '../../observation'
import { clean, list, number, present, record } from '../../unix/text'
import type { Uplink } from '../../unix/wans'
import { type Package, prefix } from '../uci/package'
import { uciBlock } from '../uci/uci'
import { type DeviceUplink, deviceOf, isOurs } from './uplinks'

export const mwan3: Package = {
  name: 'mwan3',
  reload: '/etc/init.d/mwan3 restart',
  lists: ['track_ip', 'use_member'],
  first: ['rule'],
}

const about = (one: Uplink) => ({ kind: 'wan', document: one.id })

/** Several ways, or one whose targets are asked: what netifd alone, by metric and link, does not do. */
export const needsWatch = (one: Uplink, all: readonly Uplink[]): boolean =>
  one.targets.length > 0 || all.some(other => other !== one && other.metric === one.metric)

/**
 * With `check_quality` loss and latency of a round are kept, and judged: these bounds let only a round without any answer
 * fail, as without it. One that is neither bad nor good would count as failed, so that the two of a pair lie side by side.
 */
const quality: readonly [string, string][] = [
  ['check_quality', '1'],
  ['failure_loss', '100'],
  ['recovery_loss', '99'],
  ['failure_latency', '10000'],
  ['recovery_latency', '9999'],
]

/**
 * The section has the name of the interface that is watched. A round is three pings, a second apart, and a pause of three:
 * down after three rounds in which no target answered; without targets the link alone decides.
 */
const watch = (one: Uplink, network: string): NativeBlock =>
  uciBlock(
    `mwan3.${network}`,
    'interface',
    [
      ['enabled', '1'],
      ['family', 'ipv4'],
      ['track_ip', one.targets],
      ['reliability', one.targets.length > 0 ? '1' : undefined],
      ['count', '3'],
      ['timeout', '2'],
      ['interval', '3'],
      ['down', '3'],
      ['up', '3'],
      ...(one.targets.length > 0 ? quality : []),
    ],
    about(one),
  )

const policy = `${prefix}ways`

/** Its packet filter makes chains of this name and fifteen characters more, of which 28 are known. */
const longest = 13
const isNamed = (one: DeviceUplink) => !isOurs(one) || (one.network ?? '').length <= longest

/** The better metric first, those of one metric by weight; what none of them carries goes as the system routes it. */
export function watchBlocks(all: readonly DeviceUplink[]): NativeBlock[] {
  const ways = all.filter(isNamed).flatMap(one => {
    const { network } = one
    return network === undefined ? [] : [{ one, network }]
  })
  const ranks = [...new Set(ways.map(({ one }) => one.metric))].sort((a, b) => a - b)
  const members = ways.map(({ one, network }, at) =>
    uciBlock(
      `mwan3.${prefix}member${at + 1}`,
      'member',
      [
        ['interface', network],
        ['metric', String(ranks.indexOf(one.metric) + 1)],
        ['weight', String(one.weight)],
      ],
      about(one),
    ),
  )
  return [
    ...ways.filter(({ one }) => isOurs(one)).map(({ one, network }) => watch(one, network)),
    ...members,
    uciBlock(
      `mwan3.${policy}`,
      'policy',
      [
        ['use_member', members.map((_, at) => `${prefix}member${at + 1}`)],
        ['last_resort', 'default'],
      ],
      { kind: 'wan' },
    ),
    uciBlock(
      `mwan3.${prefix}all`,
      'rule',
      [
        ['family', 'ipv4'],
        ['proto', 'all'],
        ['dest_ip', '0.0.0.0/0'],
        ['use_policy', policy],
      ],
      { kind: 'wan' },
    ),
  ]
}

/** A way of the system's own is watched as its own section of mwan3 says, if at all. */
export const watchWarnings = (all: readonly DeviceUplink[]): Warning[] =>
  all.flatMap(one => {
    const own = !isOurs(one) && one.targets.length > 0
    const code = own ? 'wanHealthOwn' : isNamed(one) ? undefined : 'wanHealthName'
    return code ? [{ code, ...about(one), values: { wan: one.name, interface: deviceOf(one) } }] : []
  })

/** Loss is measured with check_quality alone; else it is 0, as is the latency. */
function lossOf({ packetloss, latency }: Record<string, unknown>): number | undefined {
  const loss = number(packetloss, 0, 100)
  return loss === 0 && number(latency, 1) === undefined ? undefined : loss
}

/** What mwan3 says of each interface that it watches; `devices`: the device of each network. */
export function readWatch(status: Record<string, unknown>, devices: ReadonlyMap<string, string>): WanReading[] {
  return Object.entries(record(status.interfaces))
    .slice(0, 64)
    .flatMap(([network, told]) => {
      const one = record(told)
      const name = devices.get(network) ?? clean(network, 64)
      if (name === undefined || one.enabled === false) return []
      // One that was not asked, since another had answered, tells what was measured at some time before.
      const targets = list(one.track_ip, 16)
        .map(record)
        .filter(target => target.status !== 'skipped')
      const losses = targets.flatMap(target => lossOf(target) ?? [])
      // 0 stands for one that was not measured.
      const times = targets.flatMap(target => number(target.latency, 1, 60_000) ?? [])
      return [
        present<WanReading>({
          interface: name,
          up: one.status === 'online',
          // The target that answers best says what the way itself loses.
          lossPercent: losses.length > 0 ? Math.min(...losses) : undefined,
          latencyMs: times.length > 0 ? Math.min(...times) : undefined,
        }),
      ]
    })
}
