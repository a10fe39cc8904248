import { DeviceError, type Reason } from '../../driver'
import { isDropped, stillAnswers } from './ask-each'
import { below, type Oid, type Value, type VarBind } from './ber'
import { type Channel, exceptions, type Reply, status, statusError } from './channel'
import { brief } from './habits'

/** One column as read: `indexes[i]` is the row's index, dotted, and `values[i]` its value. */
export type Column = { indexes: string[]; values: Value[] }

export type WalkOptions = {
  /** A column with more rows ends with `tooLarge`. */
  rows?: number
  /** Time for the whole walk, milliseconds. */
  milliseconds?: number
  /** Rows every column is known to have: the walk stops there and does not ask for the table's end. */
  expect?: number
  /** Shared by all walks of a reading; a walk of its own has one of its own. */
  budget?: Budget
}

/** What a reading may still keep, bytes. What comes after ends its table with `tooLarge`. */
export type Budget = { left: number }
/** A switch with a hundred thousand addresses needs a third of it. */
export const newBudget = (): Budget => ({ left: 64 << 20 })

/** What was read; a failure that ended a column early, with what came until then kept. */
export type Walked = { columns: Column[]; failure?: DeviceError }

const packetBytes = { usual: 1400, small: 480 }
const headBytes = 60
const mostRepetitions = 60

type Step = { bytes: number; columns: number; bulk: boolean }

/** How a table is asked for, from the usual way to the one that the weakest agent can answer. */
const steps: readonly Step[] = [
  { bytes: packetBytes.usual, columns: 10, bulk: true },
  { bytes: packetBytes.small, columns: 10, bulk: true },
  { bytes: packetBytes.small, columns: 4, bulk: true },
  { bytes: packetBytes.small, columns: 4, bulk: false },
  { bytes: packetBytes.small, columns: 1, bulk: false },
]
const lastStep = steps.length - 1
const firstWithoutBulk = steps.findIndex(each => !each.bulk)

type Walker = { base: Oid; last: string; done: boolean; column: Column }
type State = {
  cellBytes: number
  deadline: number
  ceiling: number
  rows: number
  budget: Budget
  expect?: number
  /** Place in `steps`: what the agent is known to take, or more careful in this walk alone. */
  care: number
  /** A column turned out to be silent: the others are asked for by themselves. */
  apart: boolean
  failure?: DeviceError
}

/**
 * Reads columns side by side by GETBULK (GETNEXT in version 1), in replies that fit one Ethernet frame; an agent that
 * refuses or drops that is asked more carefully, and so for the rest of its channel's life.
 * An index that does not increase ends its column with `malformed`: such a table has no end (RFC 3416 section 4.2.2).
 * Rejects only when the device stops answering.
 */
export async function walk(channel: Channel, bases: Oid[], options: WalkOptions = {}): Promise<Walked> {
  const { habits } = channel
  const walkers: Walker[] = bases.map(base => ({
    base,
    last: '',
    done: habits.silent.has(base.text),
    column: { indexes: [], values: [] },
  }))
  const state: State = {
    cellBytes: 26,
    deadline: performance.now() + (options.milliseconds ?? 60_000),
    ceiling: mostRepetitions,
    rows: options.rows ?? 10_000,
    budget: options.budget ?? newBudget(),
    expect: options.expect,
    care: habits.care,
    apart: false,
  }
  if (walkers.some(each => each.done)) state.failure = new DeviceError('timeout', 'columns that stay silent')
  await walkAll(channel, walkers, state)
  // What one silent or broken column needed says nothing about the agent.
  if (!state.apart && !state.failure) habits.care = state.care
  return { columns: walkers.map(each => each.column), failure: state.failure }
}

async function walkAll(channel: Channel, walkers: Walker[], state: State): Promise<void> {
  for (;;) {
    const left = walkers.filter(each => !each.done)
    if (left.length === 0) return
    if (performance.now() > state.deadline) return fail(left, state, 'tooLarge', 'the table took too long')
    const step = steps[state.care] as Step
    await walkOn(channel, left.slice(0, state.apart ? 1 : step.columns), step, state)
  }
}

/** One request for the next rows of these columns. */
async function walkOn(channel: Channel, active: Walker[], step: Step, state: State): Promise<void> {
  const bulk = step.bulk && channel.version !== 1
  const way = { bulk, repetitions: bulk ? repetitionsFor(active, state, step.bytes) : 1 }
  const reply = await request(channel, active, way, state)
  if (!reply) return
  if (reply.status !== 0) return refused(active, reply, way, state)
  if (reply.bindings.length === 0) return fail(active, state, 'malformed', 'a reply without content')
  if (reply.size) state.cellBytes = Math.max(12, (reply.size - headBytes) / reply.bindings.length)
  take(active, reply.bindings, state)
}

function repetitionsFor(active: Walker[], state: State, bytes: number): number {
  const fitting = Math.floor((bytes - headBytes) / (active.length * state.cellBytes))
  const known = state.expect === undefined ? mostRepetitions : state.expect - (active[0]?.column.indexes.length ?? 0)
  // How long its texts are an agent of small replies shows with the first row.
  const most = bytes < packetBytes.usual && active[0]?.last === '' ? 1 : state.ceiling
  return Math.max(1, Math.min(fitting, most, known))
}

type Way = { bulk: boolean; repetitions: number }

async function request(channel: Channel, active: Walker[], way: Way, state: State): Promise<Reply | undefined> {
  const { habits } = channel
  const bases = active.map(each => each.base)
  const oids = active.map(each => (each.last ? below(each.base, each.last) : each.base))
  const type = way.bulk ? 'getBulk' : 'getNext'
  const last = nextCare(state.care, active.length, channel.version) === undefined
  const attempts = habits.drops ? brief(habits, last ? 3 : 2) : undefined
  try {
    return await channel.exchange({ type, oids, bases, maxRepetitions: way.repetitions }, attempts)
  } catch (error) {
    if (!isDropped(error)) throw error
    await stillAnswers(channel)
    dropped(channel, active, state, error as DeviceError)
    return undefined
  }
}

/** The next step whose request differs for so many columns; undefined where none is left. */
function nextCare(care: number, columns: number, version: Channel['version']): number | undefined {
  const wayOf = (step: Step) => {
    const bulk = step.bulk && version !== 1
    return `${bulk && step.bytes} ${Math.min(step.columns, columns)}`
  }
  const now = wayOf(steps[care] as Step)
  const place = steps.findIndex((step, i) => i > care && wayOf(step) !== now)
  return place < 0 ? undefined : place
}

/** Weak agents drop what they cannot answer: the next try asks for less, until one column alone stays silent. */
function dropped({ habits, version }: Channel, active: Walker[], state: State, error: DeviceError): void {
  const next = nextCare(state.care, active.length, version)
  if (next !== undefined) {
    state.care = state.apart ? lastStep : next
    return
  }
  for (const each of active) {
    each.done = true
    if (each.last === '') habits.silent.add(each.base.text)
  }
  state.failure ??= error
  state.apart = true
  state.care = habits.care
}

function refused(active: Walker[], reply: Reply, { bulk, repetitions }: Way, state: State): void {
  if (reply.status === status.tooBig && repetitions > 1) {
    state.ceiling = Math.max(1, repetitions >> 1)
    return
  }
  const blamed = reply.index > 0 && reply.index <= active.length ? active[reply.index - 1] : undefined
  const ends = reply.status === status.noSuchName
  // Some agents take no GETBULK, and some not several names; which of a table's cells is bad a single GETNEXT shows.
  if (!ends && bulk) state.care = Math.max(state.care, firstWithoutBulk)
  else if (!ends && active.length > 1 && (!blamed || reply.status === status.tooBig)) state.care = lastStep
  else {
    // Version 1 says noSuchName at the end of the view; without a place to blame nothing more can be had.
    for (const each of blamed ? [blamed] : active) each.done = true
    if (!ends) state.failure ??= statusError(reply)
  }
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
  const value = kept(binding.value)
  state.budget.left -= cellBytes + binding.oid.length + (Buffer.isBuffer(value) ? value.length : 0)
  if (state.budget.left < 0) return fail([walker], state, 'tooLarge', 'more than a device has to tell')
  walker.last = binding.oid
  indexes.push(binding.oid)
  values.push(value)
  if (indexes.length === state.expect) walker.done = true
}

/** What a cell takes beside its text. */
const cellBytes = 16
const longestValue = 2_048
const usualPacket = 4_096

/** A value by itself: one that is a part of a large packet would hold all of it. */
function kept(value: Value): Value {
  if (!Buffer.isBuffer(value)) return value
  if (value.length > longestValue) return Buffer.from(value.subarray(0, longestValue))
  return value.buffer.byteLength > usualPacket ? Buffer.from(value) : value
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
