import { DeviceError, isDeviceError } from '../../driver'
import type { Oid, VarBind } from './ber'
import { type Channel, exceptions, type Reply, status, statusError } from './channel'
import { brief } from './habits'
import type { Attempt } from './udp'

// Variables of agents that drop a request for one of them that they cannot answer, or for more than they can.

const stillThere: Attempt[] = [
  { milliseconds: 1500, connected: false },
  { milliseconds: 2500, connected: true },
]

/** True where the question was dropped or garbled; what else went wrong is thrown. */
export const isDropped = (error: unknown): boolean =>
  isDeviceError(error) && (error.reason === 'timeout' || error.reason === 'malformed')

/** Rejects where a device does not even answer what it answered before. */
export async function stillAnswers({ habits, exchange }: Channel): Promise<void> {
  if (!habits.proof) throw new DeviceError('timeout')
  await exchange({ type: habits.proof.type, oids: [habits.proof.oid] }, stillThere)
  habits.drops = true
}

type Asking = {
  channel: Channel
  type: 'get' | 'getNext'
  attempts?: Attempt[]
  /** It is part of what was dropped as a whole. */
  halved?: true
  found: Map<Oid, VarBind>
}

/**
 * One variable for each name: itself, or with `getNext` the first one below it. What the agent has not, refuses or keeps
 * silent about is missing. Rejects where the device does not answer any more, or forbids.
 */
export async function askEach(
  channel: Channel,
  type: 'get' | 'getNext',
  names: readonly Oid[],
  attempts?: Attempt[],
): Promise<Map<Oid, VarBind>> {
  const { habits } = channel
  const found = new Map<Oid, VarBind>()
  const left = names.filter(each => !habits.silent.has(each.text))
  while (left.length > 0) await askSome({ channel, type, attempts, found }, left.splice(0, habits.names))
  return found
}

async function askSome(asking: Asking, names: Oid[]): Promise<void> {
  let rest = names
  while (rest.length > 0) {
    const reply = await answered(asking, rest)
    if (!reply) return silence(asking, rest)
    if (reply.status === 0) {
      rest = take(asking, rest, reply)
      continue
    }
    const without = refused(rest, reply)
    if (!without) return apart(asking, rest)
    rest = without
  }
}

async function answered({ channel, type, attempts, halved }: Asking, oids: Oid[]): Promise<Reply | undefined> {
  const { habits } = channel
  try {
    const reply = await channel.exchange({ type, oids }, attempts)
    if (reply.status === 0) habits.proof ??= { type, oid: oids[0] as Oid }
    return reply
  } catch (error) {
    if (!isDropped(error)) throw error
    if (oids.length > 1 || !halved) await stillAnswers(channel)
    return undefined
  }
}

const isFor = (type: Asking['type'], asked: Oid, place: number, given: VarBind) =>
  type === 'getNext' ? given.base === place : given.base < 0 && given.oid === asked.text

/** Takes what came; returns what is still to be asked where the agent answered only the first few. */
function take({ type, found, channel }: Asking, asked: Oid[], { bindings }: Reply): Oid[] {
  for (const [place, given] of bindings.entries()) {
    const name = asked[place]
    if (name && isFor(type, name, place, given) && !exceptions.has(given.type)) found.set(name, given)
  }
  if (bindings.length === 0 || bindings.length >= asked.length) return []
  channel.habits.names = Math.min(channel.habits.names, bindings.length)
  return asked.slice(bindings.length)
}

/** What is left to ask without the one variable that was refused; undefined where it is not said which. */
function refused(asked: Oid[], reply: Reply): Oid[] | undefined {
  if (reply.status === status.authorizationError || reply.status === status.noAccess) throw statusError(reply)
  if (asked.length === 1) return []
  const blamed = reply.status === status.tooBig ? undefined : asked[reply.index - 1]
  return blamed && asked.filter(each => each !== blamed)
}

/** Asks in two halves, and keeps to their size where that was all that was wrong. */
async function apart(asking: Asking, names: Oid[]): Promise<void> {
  const { habits } = asking.channel
  const before = habits.silent.size
  const middle = names.length >> 1
  await askSome(asking, names.slice(0, middle))
  await askSome(asking, names.slice(middle))
  if (habits.silent.size === before) habits.names = Math.min(habits.names, names.length - middle)
}

const atOnce = 5

/** Each name by itself, some at a time: who is silent costs the wait once for all of them. */
async function oneByOne(asking: Asking, names: Oid[]): Promise<void> {
  const alone = { ...asking, attempts: brief(asking.channel.habits, 3) }
  const { silent } = asking.channel.habits
  const before = silent.size
  for (let at = 0; at < names.length; at += atOnce)
    await Promise.all(names.slice(at, at + atOnce).map(each => askSome(alone, [each])))
  // A device that went away meanwhile is silent about everything.
  if (silent.size > before) await stillAnswers(asking.channel)
}

async function silence(asking: Asking, names: Oid[]): Promise<void> {
  const { habits } = asking.channel
  if (names.length === 1) habits.silent.add(names[0]?.text ?? '')
  else if (asking.halved) await oneByOne(asking, names)
  else await apart({ ...asking, halved: true, attempts: brief(habits, 2) }, names)
}
