import type { Target } from '../driver'
import { vendorOf } from '../models/registry'
import type { Vendor } from '../models/vendor'
import type { Channel } from './channel'
import type { Shape } from './interfaces'
import { system } from './mibs'
import type { Plan } from './readings'
import { text } from './table'
import { greet, openChannel } from './transport'

/** One device being spoken to, and what is kept of it between readings so that a poll asks only for what moves. */
export type Session = {
  channel: Channel
  /** The device's, as the manager speaks to it. */
  address: string
  vendor?: Vendor
  objectId: string
  description: string
  /** From the last full reading, without what only that tells; a poll adds state and counters. */
  shape?: readonly Shape[]
  /** sysUpTime and ifTableLastChange when `shape` was read: either going another way means read it again. */
  shapeTicks?: number
  shapeChange?: number
  /** Whether every interface has every column of the poll, 64-bit counters among them. */
  even?: boolean
  /** What the polls ask for about health: what the last full reading found. */
  plan?: Plan
  /** Whether the agent has hrStorageTable. */
  storage?: boolean
  /** From sensors, which only full readings ask. */
  temperature?: number
  /** Cisco: whether the agent answers for single VLANs. */
  perVlan?: boolean
}

/** Opens a channel and says the first words. The signal ends the wait, not the packets under way. */
export async function connect(target: Target, signal: AbortSignal): Promise<Session> {
  signal.throwIfAborted()
  const channel = await openChannel(target)
  const stop = () => channel.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const found = await greet(channel)
    const objectId = found.get(system.objectId)?.value
    const description = found.get(system.description)?.value
    const session: Session = {
      channel,
      address: target.address,
      objectId: typeof objectId === 'string' ? objectId : '',
      description: Buffer.isBuffer(description) ? text(description) : '',
    }
    session.vendor = vendorOf(session.objectId, session.description)
    return session
  } catch (error) {
    channel.close()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
