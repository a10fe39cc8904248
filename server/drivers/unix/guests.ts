import { createHash } from 'node:crypto'
import type { Actions } from '../actions'
import { DeviceError } from '../driver'
import type { Admission, GuestUse } from '../guests'
import { quote } from '../shell'
import { handle } from './bandwidth'
import { awayActions } from './gate-away-state'
import { keepText, keptIn, keptOut } from './gate-kept'
import { admitted, classLine, element, goneOf, type Held, leafLine, rateLine, rootLines, together } from './gate-lines'
import { firstGuest, markBase } from './gate-rules'
import { type GateLan, type GateState, type GateSystem, type GuestState, readAt, readFew, readGate } from './gate-state'
import { clean, mac } from './text'

/** No limit is one that nobody reaches: every guest's bytes are counted. */
const allBytes = 2 ** 50
const places = 0xf000 - firstGuest

/** Marks for a device, the first that is free is its own; the same each time. */
function* marksFor(of: string, count: number): Generator<number> {
  const start = createHash('sha256').update(of).digest().readUInt32BE() % places
  for (let step = 0; step < count; step++) yield markBase + firstGuest + ((start + step) % places)
}

function firstFree(of: string, count: number, used: ReadonlySet<number>): number | undefined {
  for (const mark of marksFor(of, count)) if (!used.has(mark)) return mark
  return undefined
}

/** Up to so many at a time are asked for one by one. */
const few = 8
const tries = 3

type Known = Omit<GateState, 'addresses'> & { taken: ReadonlySet<number> }

/** What has to be known of these; `whole`: of everybody. Undefined where the device has no gate. */
async function known<S>(
  system: GateSystem<S>,
  session: S,
  macs: string[],
  whole = macs.length > few,
): Promise<Known | undefined> {
  const marks = macs.flatMap(one => [...marksFor(one, tries)])
  const some = whole ? undefined : await readFew(system, session, macs, marks)
  if (some) return some
  const all = await readGate(system, session)
  return all && { ...all, taken: new Set(all.guests.map(one => one.mark)) }
}

const classOf = (mark: number) => (mark - markBase).toString(16)

/** Everything of one that was let in. */
const goneLines = ({ link, mac: who, mark, quota = '' }: GuestState): string[] =>
  goneOf({ link, mac: who, mark: `${mark}`, minor: classOf(mark), quota })

type Placed = Admission & { lan: string; place: GateLan; mark: number; quota: string }

const heldBy = (by: Held['by'], kbps: number | undefined): Held | undefined =>
  kbps === undefined ? undefined : { by, kbps }
const downOf = ({ place, download }: Placed) => heldBy(place.down, download)
const upOf = ({ place, upload }: Placed) => heldBy(place.up, upload)

function rateLines(one: Placed): string[] {
  const held = { down: downOf(one), up: upOf(one) }
  const limits = (['down', 'up'] as const).flatMap(way =>
    held[way]?.by === 'limit' ? [rateLine(way, `${one.mark}`, `${held[way].kbps * 125}`)] : [],
  )
  const classed = held.down?.by === 'class' || held.up?.by === 'class'
  return [...(classed ? [element('add', 'class_of', `${one.mark} : ${handle}:${classOf(one.mark)}`)] : []), ...limits]
}

const inLines = (one: Placed): string[] => [
  ...admitted({
    ...{ link: one.place.link, mac: one.mac, mark: `${one.mark}`, quota: one.quota },
    ...{ bytes: `${one.bytes ?? allBytes}`, seconds: `${one.seconds}`, idleSeconds: `${one.idleSeconds}` },
  }),
  ...rateLines(one),
]

/** Octets of some 10 ms: what a timer that comes late has to make good. */
const burst = (kbps: number) => Math.max(3200, Math.ceil(kbps * 1.25))

/** On which interface a guest's traffic leaves, and how fast. */
const classes = ({ place, download, upload }: Placed, outside: readonly string[]) => [
  ...(download !== undefined && place.down === 'class' ? [{ link: place.link, kbps: download }] : []),
  ...(upload !== undefined && place.up === 'class' ? outside.map(link => ({ link, kbps: upload })) : []),
]

const keptOf = (one: Placed) =>
  keptIn({
    ...{ link: one.place.link, mac: one.mac, mark: one.mark, quota: one.quota, bytes: one.bytes ?? allBytes },
    ...{ idleSeconds: one.idleSeconds, seconds: one.seconds, down: downOf(one), up: upOf(one) },
  })

type Keeping = Pick<GateSystem<unknown>, 'kept' | 'owner'>
type Work = { gone: GuestState[]; come: Placed[] }

/** The whole work as one shell text: classes first, then who is in at once, then what makes queues short. */
function workText({ gone, come }: Work, { lans, outside }: Known, { kept: file, owner }: Keeping): string {
  const links = [...new Set([...lans.map(one => one.link), ...outside])]
  const made = come.flatMap(one => classes(one, outside).map(two => ({ ...two, minor: classOf(one.mark) })))
  const stays = new Set(made.map(one => `${one.link} ${one.minor}`))
  const roots = [...new Set(made.map(one => one.link))]
  const ended = gone.flatMap(one => links.map(link => `${link} ${classOf(one.mark)}`)).filter(one => !stays.has(one))
  const classLines = made.map(({ link, kbps, minor }) => classLine(link, minor, `${kbps}`, `${burst(kbps)}`))
  const leafLines = made.map(({ link, minor }) => leafLine(link, minor))
  const endLines = ended.map(one => `class del dev ${one.replace(' ', ` classid ${handle}:`)}`)
  const nftLines = [...together(gone.flatMap(goneLines)), ...together(come.flatMap(inLines))]
  const keeping = file === undefined ? '' : keepText(file, [...gone.map(keptOut), ...come.map(keptOf)], owner)
  return `${roots.map(link => rootLines(quote(link), 'exit 1')).join('\n')}
${made.length > 0 ? `tc -batch - <<'LANWARD' || exit 1\n${classLines.join('\n')}\nLANWARD` : ''}
nft -f - <<'LANWARD' || exit 1
${nftLines.join('\n')}
LANWARD
${keeping}
${[...leafLines, ...endLines].length > 0 ? `tc -force -batch - 2>/dev/null <<'LANWARD'\n${[...leafLines, ...endLines].join('\n')}\nLANWARD` : ''}
exit 0`
}

async function work<S>(system: GateSystem<S>, session: S, state: Known, todo: Work): Promise<void> {
  if (todo.gone.length + todo.come.length === 0) return
  const { code, stderr } = await system.script(session, workText(todo, state, system), [], 50_000)
  if (code !== 0) throw new DeviceError('commandFailed', clean(stderr) ?? `status ${code}`)
}

/** Each in its place; undefined where none of its first marks is free for one who comes for the first time. */
function placed(
  wanted: ReadonlyMap<string, Admission>,
  { lans, guests: before, taken }: Known,
  marks: number,
): Placed[] | undefined {
  const used = new Set(taken)
  const all = [...wanted].map(([who, one]): Placed | undefined => {
    const place = lans.find(lan => lan.id === one.lan)
    if (!place) throw new DeviceError('unsupported', 'no gate of this network')
    const former = before.find(other => other.mac === who && other.link === place.link)
    const mark = former?.mark ?? firstFree(who, marks, used)
    if (mark === undefined) return undefined
    used.add(mark)
    return { ...one, mac: who, place, mark, quota: quotaName(mark, former?.quota) }
  })
  return all.every(one => one !== undefined) ? all : undefined
}

async function admit<S>(system: GateSystem<S>, session: S, guests: readonly Admission[]): Promise<void> {
  const wanted = new Map(guests.map(one => [mac(one.mac) ?? '', one]))
  if (wanted.has('')) throw new DeviceError('unsupported', 'no MAC address')
  const macs = [...wanted.keys()]
  const seen = await known(system, session, macs)
  const first = seen && placed(wanted, seen, tries)
  const state = first ? seen : await known(system, session, macs, true)
  if (!state) throw new DeviceError('unsupported', 'no gate for guests')
  const come = first ?? placed(wanted, state, places)
  if (!come) throw new DeviceError('tooLarge', 'no place for another guest')
  return work(system, session, state, { gone: state.guests.filter(one => wanted.has(one.mac)), come })
}

/** Never the one that it had: what it used is not to count. */
const quotaName = (mark: number, former = ''): string =>
  `g${classOf(mark)}_${(Number(former.split('_')[1] ?? 0) + 1) % 1_000_000}`

async function remove<S>(system: GateSystem<S>, session: S, macs: readonly string[]): Promise<void> {
  const wanted = new Set(macs.flatMap(one => mac(one) ?? []))
  const state = await known(system, session, [...wanted])
  if (!state) return
  return work(system, session, state, { gone: state.guests.filter(one => wanted.has(one.mac)), come: [] })
}

/** What those left behind who are out goes on the way. */
async function list<S>(system: GateSystem<S>, session: S): Promise<GuestUse[]> {
  const state = await readGate(system, session)
  if (!state) return []
  const idle = new Map(state.lans.map(one => [one.link, one.idleSeconds]))
  const isOut = ({ until, awake, link }: GuestState) => until === undefined || awake === undefined || !idle.has(link)
  await work(system, session, { ...state, taken: new Set() }, { gone: state.guests.filter(isOut), come: [] })
  return state.guests
    .filter(one => !isOut(one))
    .map(({ mac: who, link, until = 0, awake = 0, used = 0, most = allBytes }) => ({
      ...{ mac: who, secondsLeft: until, bytes: used },
      ...(most < allBytes && { bytesLeft: Math.max(0, most - used) }),
      idleSeconds: Math.max(0, (idle.get(link) ?? 0) - awake),
      addresses: state.addresses.get(`${link} ${who}`) ?? [],
    }))
}

/** A driver's actions on its gate. */
export const guestActions = <S>(system: GateSystem<S>): NonNullable<Actions<S>['guests']> => ({
  admit: (session, guests) => admit(system, session, guests),
  remove: (session, macs) => remove(system, session, macs),
  list: session => list(system, session),
  at: (session, address) => readAt(system, session, address),
  ...(system.away !== undefined && { away: awayActions(system, system.away) }),
})
