import { ipv4Text, segment4 } from '@/model/addresses'
import { rateKbps } from '@/model/rules'
import { type BandwidthValues, bandwidthRule as kind } from '@/model/traffic/bandwidth'
import type { DesiredDocument } from '../driver'
import { quote } from '../shell'
import { fieldsOf } from './documents'
import { addresses, chain, interfaces, remark, versionOf } from './nft'
import { type Schedule, scheduleOf } from './schedules'
import { ruleMark } from './wired-rules'

/** A limit in kbit/s with the classes that hold it; a direction without a rate has none. */
export type Limit = {
  id: string
  name: string
  mac?: string
  /** An address or a segment. */
  address?: string
  upload?: Rate
  download?: Rate
  schedule?: Schedule | undefined
}
export type Rate = { class: string; kbps: number }

/** Handle of every queue of ours: `4c57:10` is its first class. */
export const handle = '4c57'
const firstClass = 0x10

// The nearest counts: a client's own limit before its segment's, a small segment before a large one.
const rank = ({ mac, address = '' }: Omit<Limit, 'upload' | 'download'>): number =>
  mac ? 0 : 1000 - Number(address.split('/')[1] ?? 128)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** A network by reference is its document's data here: `address` is the gateway's own in it. */
function subject(values: BandwidthValues, lan: unknown): Pick<Limit, 'mac' | 'address'> {
  if (values.target === 'client') return { mac: values.mac ?? '' }
  if (values.target === 'address') return { address: values.address ?? '' }
  const segment = segment4(String((lan as { address?: unknown } | undefined)?.address))
  return segment ? { address: `${ipv4Text(segment.first)}/${segment.prefix}` } : {}
}

/** The rules that are switched on, the nearest first, each direction with a class of its own. */
export function limitsOf(documents: readonly DesiredDocument[]): Limit[] {
  const rules = documents
    .filter(document => document.kind === kind.id)
    .map(({ id, data }) => {
      const values = fieldsOf(kind, data) as BandwidthValues
      return {
        values,
        limit: { id, name: values.name, schedule: scheduleOf(data.schedule), ...subject(values, data.lan) },
      }
    })
    .filter(({ values, limit }) => values.enabled && (limit.mac || limit.address))
    .sort((a, b) => rank(a.limit) - rank(b.limit) || compare(a.limit.id, b.limit.id))
  return rules.map(({ values: { upload, download }, limit }, at) => {
    const rate = (of: string, offset: number): Rate => ({
      class: (firstClass + 2 * at + offset).toString(16),
      kbps: rateKbps(of),
    })
    return { ...limit, ...(upload && { upload: rate(upload, 0) }), ...(download && { download: rate(download, 1) }) }
  })
}

/** What is done with packets that a limit is about: one rule for each. */
type Act = (rate: Rate, limit: Limit) => string[]

const mark: Act = (rate, limit) => [`counter meta priority set ${handle}:${rate.class} accept ${ruleMark(limit)}`]

/**
 * Drops what is over the rate. The kernel lets a second of the rate and the burst come at once (nft_limit_init), so that
 * a connection which was dropped to a stop still has its rate on the average.
 */
export const dropOver = (kbps: number): string =>
  `limit rate over ${kbps * 125} bytes/second burst 32000 bytes counter drop`

/** For a gateway without queues. */
export const police: Act = ({ kbps }, limit) => [`${dropOver(kbps)} ${ruleMark(limit)}`, `accept ${ruleMark(limit)}`]

/** Where a client is known by its MAC address alone, what comes back to it is known by the addresses it sent from. */
const learnt = (limit: Limit) =>
  ([4, 6] as const).map(version => ({
    word: version === 4 ? 'ip' : 'ip6',
    version,
    name: `client_${limit.download?.class}_${version}`,
  }))

function clientLines(limit: Limit, act: Act): string[] {
  const sent = limit.download
    ? learnt(limit).map(({ word, name }) => `ether saddr ${limit.mac} update @${name} { ${word} saddr }`)
    : []
  const back = ({ word, name }: { word: string; name: string }) =>
    limit.download
      ? act(limit.download, limit).map(what => `iifname @outside oifname != @outside ${word} daddr @${name} ${what}`)
      : []
  return [
    ...sent,
    ...(limit.upload
      ? act(limit.upload, limit).map(what => `iifname != @outside oifname @outside ether saddr ${limit.mac} ${what}`)
      : []),
    ...learnt(limit).flatMap(back),
  ]
}

function addressLines(limit: Limit, act: Act): string[] {
  const { address = '', upload, download } = limit
  const word = versionOf(address) === 4 ? 'ip' : 'ip6'
  const [spelt] = addresses([address], versionOf(address))
  const up = `iifname != @outside oifname @outside ${word} saddr ${spelt}`
  const down = `iifname @outside oifname != @outside ${word} daddr ${spelt}`
  return [
    ...(upload ? act(upload, limit).map(what => `${up} ${what}`) : []),
    ...(download ? act(download, limit).map(what => `${down} ${what}`) : []),
  ]
}

const learningSet = ({ version, name }: { version: number; name: string }) =>
  `\tset ${name} {\n\t\ttype ipv${version}_addr\n\t\tflags dynamic,timeout\n\t\ttimeout 1d\n\t\tsize 256\n\t}`

/**
 * The table that sorts packets into the classes by their priority: a queue's class is found by it without a filter, and
 * packets' marks stay free for others.
 */
export function shapingParts(limits: readonly Limit[], uplinks: readonly string[], act: Act = mark): string[] {
  const names = interfaces(uplinks).replace(/^\{ | \}$/g, '')
  const learning = limits.filter(limit => limit.mac && limit.download).flatMap(learnt)
  const lines = limits.flatMap(limit => [
    remark(limit.name),
    ...(limit.mac ? clientLines(limit, act) : addressLines(limit, act)),
  ])
  return [
    `\tset outside {\n\t\ttype ifname\n\t\telements = { ${names} }\n\t}`,
    ...learning.map(learningSet),
    chain('shape', 'type filter hook forward priority mangle + 10; policy accept;', lines),
  ]
}

/** Some 100 ms of full packets: what waits longer is late anyway. */
const packets = ({ kbps }: Rate) => Math.max(20, Math.ceil(kbps / 80))
/** Octets of some 10 ms: what a timer that comes late has to make good. */
const burst = ({ kbps }: Rate) => Math.max(3200, Math.ceil(kbps * 1.25))

export const queueLines = (rates: readonly Rate[]) =>
  rates.map(rate => `  queue ${rate.class} ${rate.kbps} ${burst(rate)} ${packets(rate)}`)

const perInterface = (names: readonly string[], rates: readonly Rate[]): string[] =>
  rates.length === 0 ? [] : names.flatMap(name => [`on ${quote(name)} && {`, ...queueLines(rates), '}'])

const sizes = (limits: readonly Limit[], of: 'upload' | 'download') => limits.flatMap(limit => limit[of] ?? [])

type Queues = {
  /** Of every queue that the script lays. */
  handle: string
  /** Interfaces may come up so much later. */
  waitSeconds: number
  /** Shell functions of its own. */
  more?: string
  /** Shell lines for each interface when everything is taken off, and after it. */
  cleared?: string
  gone?: string
  lines: readonly string[]
}

/**
 * Shell lines that take a queue of ours off the interface, a shell word. Classes of four digits are guests': whoever lets
 * them in makes those and takes them away, and the queue stays for them.
 */
export const withoutQueue = (
  handle: string,
  dev: string,
): string => `if tc qdisc show dev ${dev} 2>/dev/null | grep -q '^qdisc htb ${handle}:'; then
if tc class show dev ${dev} | grep -q '^class htb ${handle}:[0-9a-f]\\{4\\} '; then
for class in $(tc class show dev ${dev} | sed -n 's/^class htb \\(${handle}:[0-9a-f]\\{1,3\\}\\) .*/\\1/p'); do tc class del dev ${dev} classid "$class"; done
else tc qdisc del dev ${dev} root; fi
fi`

/** A script that lays queues: `start`, `stop`, and `check`, which fails where one is missing. */
export const queuesText = ({
  handle,
  waitSeconds,
  more = '',
  cleared = '',
  gone = '',
  lines,
}: Queues): string => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
verb=$1 failed=0
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
clear() {
  for one in /sys/class/net/*; do
    one=\${one##*/}
${withoutQueue(handle, '"$one"')}
${cleared}  done
${gone}  return 0
}
await() {
  left=${waitSeconds}
  while [ ! -e "/sys/class/net/$1" ] && [ $left -gt 0 ]; do sleep 1; left=$((left - 1)); done
}
root() {
  tc qdisc show dev "$dev" | grep -q '^qdisc htb ${handle}:' && return
  tc qdisc replace dev "$dev" root handle ${handle}: htb default 1 || { failed=1; return 1; }
}
on() {
  dev=$1
  [ "$verb" = start ] || return 0
  await "$dev"
  root
}
${more}# CLASS KBIT BURST PACKETS
queue() {
  if [ "$verb" = check ]; then
    tc class show dev "$dev" | grep -q "^class htb ${handle}:$1 " || { echo "$dev has no class $1" >&2; failed=1; }
    return
  fi
  tc class replace dev "$dev" parent ${handle}: classid "${handle}:$1" htb rate "$2kbit" burst "$3" cburst "$3" || failed=1
  tc qdisc replace dev "$dev" parent "${handle}:$1" fq_codel 2>/dev/null ||
    tc qdisc replace dev "$dev" parent "${handle}:$1" pfifo limit "$4" || failed=1
}
[ "$verb" = check ] || clear
[ "$verb" = stop ] && exit 0
${lines.join('\n')}
[ "$verb" = check ] || [ $failed = 0 ] || clear
exit $failed
`

/**
 * The queues of a gateway. A direction is limited where it leaves it: upload towards the internet, download towards the
 * LAN. What is in no class is not limited.
 */
export const queueScript = (limits: readonly Limit[], uplinks: readonly string[], inside: readonly string[]): string =>
  queuesText({
    handle,
    waitSeconds: 30,
    lines: [...perInterface(uplinks, sizes(limits, 'upload')), ...perInterface(inside, sizes(limits, 'download'))],
  })
