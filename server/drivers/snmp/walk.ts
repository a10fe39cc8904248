import { DeviceError, isDeviceError, type Reason } from '../driver'
import { below, type Oid, type Value, type VarBind } from './ber'
import { type Channel, exceptions, lastChance, type Reply, status, statusError } from './channel'

/** One column as read: `indexes[i]` is the row's index, dotted, and `values[i]` its value. */
export type Column = { indexes: string[]; values: Value[] }

export type WalkOptions = {
  /** A column with more rows ends with `tooLarge`. */
  rows?: number
  /** Time for the whole walk, milliseconds. */
  milliseconds?: number
  /** Rows every column is known to have: the walk stops there and does not ask for the table's end. */
  expect?: number
}

/** What was read; a failure that ended a column early, with what came until then kept. */
export type Walked = { columns: Column[]; failure?: DeviceError }

const perRequest = 10
const packetBytes = 1400
const headBytes = 60
const mostRepetitions = 60

type Walker = { base: Oid; last: string; done: boolean; column: Column }
type State = {
  cellBytes: number
  deadline: number
  ceiling: number
  rows: number
  expect?: number
  failure?: DeviceError
}

/**
 * Reads columns side by side by GETBULK (GETNEXT in version 1), in replies that fit one Ethernet frame.
 * An index that does not increase ends its column with `malformed`: such a table has no end (RFC 3416 section 4.2.2).
 * Rejects only when the device stops answering.
 */
export async function walk(channel: Channel, bases: Oid[], options: WalkOptions = {}): Promise<Walked> {
  const walkers: Walker[] = bases.map(base => ({
    base,
    last: '',
    done: false,
    column: { indexes: [], values: [] },
  }))
  const state: State = {
    cellBytes: 26,
    deadline: performance.now() + (options.milliseconds ?? 60_000),
    ceiling: mostRepetitions,
    rows: options.rows ?? 10_000,
    expect: options.expect,
  }
  for (let at = 0; at < walkers.length; at += perRequest)
    await walkGroup(channel, walkers.slice(at, at + perRequest), state)
  return { columns: walkers.map(each => each.column), failure: state.failure }
}

async function walkGroup(channel: Channel, group: Walker[], state: State): Promise<void> {
  for (;;) {
    const active = group.filter(each => !each.done)
    if (active.length === 0) return
    if (performance.now() > state.deadline) return fail(active, state, 'tooLarge', 'the table took too long')
    const repetitions = repetitionsFor(active, state)
    const reply = await request(channel, active, repetitions, state)
    if (!reply) continue
    if (reply.status !== 0) {
      await refused(channel, active, reply, repetitions, state)
      continue
    }
    if (reply.bindings.length === 0) return fail(active, state, 'malformed', 'a reply without content')
    if (reply.size) state.cellBytes = Math.max(12, (reply.size - headBytes) / reply.bindings.length)
    take(active, reply.bindings, state)
  }
}

function repetitionsFor(active: Walker[], state: State): number {
  const fitting = Math.floor((packetBytes - headBytes) / (active.length * state.cellBytes))
  const known = state.expect === undefined ? mostRepetitions : state.expect - (active[0]?.column.indexes.length ?? 0)
  return Math.max(1, Math.min(fitting, state.ceiling, known))
}

async function request(
  channel: Channel,
  active: Walker[],
  repetitions: number,
  state: State,
): Promise<Reply | undefined> {
  const bases = active.map(each => each.base)
  const oids = active.map(each => (each.last ? below(each.base, each.last) : each.base))
  const type = channel.version === 1 ? 'getNext' : 'getBulk'
  try {
    const attempts = state.ceiling <= 3 ? lastChance : undefined
    return await channel.exchange({ type, oids, bases, maxRepetitions: repetitions }, attempts)
  } catch (error) {
    // Weak agents drop what they cannot answer in time: ask once for little before giving the device up.
    if (!isDeviceError(error) || error.reason !== 'timeout' || state.ceiling <= 3 || repetitions <= 3) throw error
    state.ceiling = 3
    return undefined
  }
}

async function refused(
  channel: Channel,
  active: Walker[],
  reply: Reply,
  repetitions: number,
  state: State,
): Promise<void> {
  if (reply.status === status.tooBig && repetitions > 1) {
    state.ceiling = Math.max(1, repetitions >> 1)
    return
  }
  if (reply.status === status.tooBig && active.length > 1) {
    for (const each of active) await walkGroup(channel, [each], state)
    return
  }
  const blamed = reply.index > 0 && reply.index <= active.length ? active[reply.index - 1] : undefined
  // Version 1 says noSuchName at the end of the view; without a place to blame nothing more can be had.
  for (const each of blamed ? [blamed] : active) each.done = true
  if (reply.status !== status.noSuchName) state.failure ??= statusError(reply)
}

function fail(active: Walker[], state: State, reason: Reason, detail: string) {
  for (const each of active) each.done = true
  state.failure ??= new DeviceError(reason, detail)
}

function take(active: Walker[], bindings: VarBind[], state: State) {
  const width = active.length
  for (let i = 0; i < bindings.length; i++) {
    const walker = active[i % width] as Walker
    if (!walker.done) takeOne(walker, bindings[i] as VarBind, state)
  }
}

function takeOne(walker: Walker, binding: VarBind, state: State) {
  if (binding.base < 0 || exceptions.has(binding.type)) {
    walker.done = true
    return
  }
  const { indexes, values } = walker.column
  if (walker.last && compareIndexes(walker.last, binding.oid) >= 0)
    return fail([walker], state, 'malformed', `identifiers do not increase below ${walker.base.text}`)
  if (indexes.length >= state.rows)
    return fail([walker], state, 'tooLarge', `more than ${state.rows} rows below ${walker.base.text}`)
  walker.last = binding.oid
  indexes.push(binding.oid)
  values.push(binding.value)
  if (indexes.length === state.expect) walker.done = true
}

/** Order of two dotted indexes, part by part as numbers. */
export function compareIndexes(a: string, b: string): number {
  if (!a.includes('.') && !b.includes('.')) return Number(a) - Number(b)
  const left = a.split('.')
  const right = b.split('.')
  const size = Math.min(left.length, right.length)
  for (let i = 0; i < size; i++) {
    const difference = Number(left[i]) - Number(right[i])
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
