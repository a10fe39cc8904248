import { isIP } from 'node:net'
import { isInterfaceName } from '@/model/rules'
import { DeviceError } from '../driver'
import type { GuestPlace } from '../guests'
import type { ExecResult } from '../ssh/ssh'
import { gateTable } from './gate-rules'
import { newMark, type Parts, parseParts } from './parts'
import { parseNeighbours } from './tables'
import { json, lines, list, mac, number, record } from './text'

// Who is in, as the kernel has it.

/** How a system runs what is asked of its gate, and where its files are. */
export type GateSystem<S> = {
  /** A POSIX shell script as root, with its arguments. */
  script(session: S, text: string, args: string[], timeoutMs: number): Promise<ExecResult>
  /** Lines `lan LINK DOCUMENT IDLE DOWN UP` and `outside LINK…`; DOWN and UP say what holds a rate: class or limit. */
  lans: string
  /** What lets everybody in again after a restart (gate-kept.ts); absent: only who let them in does. */
  kept?: string
  /** Who lets guests in without the manager, where that is not root: what is written for it is its own. */
  owner?: string
  /** A folder that outlives a restart, for what the gateway lets in by itself; absent: it does not. */
  away?: string
}

export type GateLan = { link: string; id: string; idleSeconds: number; down: 'class' | 'limit'; up: 'class' | 'limit' }
/** One that was let in; out as soon as one of its times is over. */
export type GuestState = {
  link: string
  mac: string
  mark: number
  /** Seconds; absent: over. */
  until?: number
  awake?: number
  quota?: string
  used?: number
  /** What the quota holds; the largest there is: no limit. */
  most?: number
}
export type GateState = {
  lans: GateLan[]
  /** Interfaces to the internet. */
  outside: string[]
  guests: GuestState[]
  /** By interface and MAC address. */
  addresses: Map<string, string[]>
}

const most = 20_000
const sets = { in: 'set', mark_of: 'map', until: 'set', awake: 'set', use_of: 'map' } as const

const readText = (lansPath: string) => `mark=$1
part() { printf '\\n%s %s\\n' "$mark" "$1"; }
part lans; cat ${lansPath} 2>/dev/null
${Object.entries(sets)
  .map(([name, kind]) => `part ${name}; nft -j list ${kind} ${gateTable} ${name} 2>/dev/null`)
  .join('\n')}
part quotas; nft -j list quotas table ${gateTable} 2>/dev/null
part neighbours; ip neigh show
part end`

/** Objects of a kind in an answer of nft's. */
const found = (text: string | undefined, kind: string) =>
  list(record(json(text)).nftables, most).flatMap(one =>
    Object.hasOwn(record(one), kind) ? [record(record(one)[kind])] : [],
  )
const elements = (parts: Parts, name: keyof typeof sets) =>
  found(parts.text(name), sets[name]).flatMap(one => list(one.elem, most))

/** Seconds left by mark. */
const left = (parts: Parts, name: 'until' | 'awake') =>
  new Map(
    elements(parts, name).flatMap(one => {
      const { val, expires } = record(record(one).elem)
      const [mark, seconds] = [number(val, 0, 0xffff_ffff), number(expires)]
      return mark === undefined || seconds === undefined ? [] : [[mark, seconds] as const]
    }),
  )

function readLans(text: string | undefined): Pick<GateState, 'lans' | 'outside'> {
  const rows = lines(text).map(line => line.split(' '))
  const held = (word: string | undefined) => (word === 'class' ? 'class' : 'limit')
  return {
    lans: rows
      .filter(([word, link = '']) => word === 'lan' && isInterfaceName(link))
      .map(([, link = '', id = '', idle, down, up]) => ({
        ...{ link, id, idleSeconds: number(idle) ?? 0 },
        ...({ down: held(down), up: held(up) } as const),
      })),
    outside: rows.flatMap(([word, link]) => (word === 'outside' && link && isInterfaceName(link) ? [link] : [])),
  }
}

function readGuests(parts: Parts): GuestState[] {
  const [until, awake] = [left(parts, 'until'), left(parts, 'awake')]
  const quotaOf = new Map(elements(parts, 'use_of').map(one => list(one) as [unknown, unknown]))
  const quotas = new Map(
    found(parts.text('quotas'), 'quota').map(one => [
      String(one.name),
      { used: number(one.used), most: number(one.bytes) },
    ]),
  )
  return elements(parts, 'mark_of').flatMap(one => {
    const [key, value] = list(one)
    const [where, who] = list(record(key).concat)
    const [link, address, mark] = [String(where), mac(who), number(value, 0, 0xffff_ffff)]
    if (!isInterfaceName(link) || !address || mark === undefined) return []
    const quota = /^g[0-9a-f]+_\d+$/.exec(String(quotaOf.get(mark)))?.[0]
    const state = { link, mac: address, mark, until: until.get(mark), awake: awake.get(mark), quota }
    return [{ ...state, ...quotas.get(quota ?? '') }]
  })
}

/** Lets in a few among thousands: only they are asked for. Of a mark it is told whether it is free. */
const readFewText = (lansPath: string) => `mark=$1; shift
part() { printf '\\n%s %s\\n' "$mark" "$1"; }
part lans; cat ${lansPath} 2>/dev/null
part found
for one; do case $one in
*:*) for link in $(sed -n 's/^lan \\([^ ]*\\) .*/\\1/p' ${lansPath}); do nft get element ${gateTable} mark_of "{ \\"$link\\" . $one }" 2>/dev/null; done ;;
*) nft get element ${gateTable} use_of "{ $one }" 2>/dev/null ;;
esac; done
part end`

export type Few = Pick<GateState, 'lans' | 'outside' | 'guests'> & { taken: ReadonlySet<number> }

/**
 * The guests of these MAC addresses as they were let in last, and which of these marks are taken. Undefined where the
 * device has no gate, or where that does not tell all of them.
 */
export async function readFew<S>(
  { script, lans: path }: GateSystem<S>,
  session: S,
  macs: string[],
  marks: number[],
): Promise<Few | undefined> {
  const mark = newMark()
  const words = [mark, ...macs, ...marks.map(String)]
  const parts = parseParts(await script(session, readFewText(path), words, 50_000), mark)
  const text = parts.text('found') ?? ''
  const quotas = [...text.matchAll(/elements = \{ (0x[0-9a-f]{8}) : "(g[0-9a-f]+_\d+)" \}/g)]
  const quotaOf = new Map(quotas.map(([, of, quota]) => [Number(of), quota ?? '']))
  const guests = [...text.matchAll(/elements = \{ "([^"]+)" \. ([0-9a-f:]{17}) : (0x[0-9a-f]{8}) \}/g)].map(
    ([, link = '', who = '', of]) => ({ link, mac: who, mark: Number(of), quota: quotaOf.get(Number(of)) }),
  )
  const { lans, outside } = readLans(parts.text('lans'))
  if (!lans.length || guests.some(one => one.quota === undefined || !isInterfaceName(one.link))) return undefined
  return { lans, outside, guests, taken: new Set(quotaOf.keys()) }
}

const readAtText = (lansPath: string) => `mark=$1
part() { printf '\\n%s %s\\n' "$mark" "$1"; }
part lans; cat ${lansPath} 2>/dev/null
part neighbours; ip neigh show "$2"
part end`

/** Whose an address is, as the redirector of the gate finds out who asks. */
export async function readAt<S>(
  { script, lans: path }: GateSystem<S>,
  session: S,
  address: string,
): Promise<GuestPlace | undefined> {
  if (isIP(address) === 0) return undefined
  const mark = newMark()
  const parts = parseParts(await script(session, readAtText(path), [mark, address], 20_000), mark)
  const { lans } = readLans(parts.text('lans'))
  const found = parseNeighbours(parts.text('neighbours')).flatMap(one => {
    const lan = one.address === address ? lans.find(other => other.link === one.port) : undefined
    return lan ? [{ mac: one.mac, lan: lan.id }] : []
  })
  return found[0]
}

/** Undefined where the device has no gate. */
export async function readGate<S>({ script, lans: path }: GateSystem<S>, session: S): Promise<GateState | undefined> {
  const mark = newMark()
  const parts = parseParts(await script(session, readText(path), [mark], 50_000), mark)
  if (!lines(parts.text('lans')).length) return undefined
  const addresses = new Map<string, string[]>()
  for (const { mac: who, address, port } of parseNeighbours(parts.text('neighbours'))) {
    const at = `${port} ${who}`
    if (address) addresses.set(at, [...(addresses.get(at) ?? []), address])
  }
  if (!found(parts.text('mark_of'), 'map').length) throw new DeviceError('commandFailed', 'the gate is not loaded')
  return { ...readLans(parts.text('lans')), guests: readGuests(parts), addresses }
}
