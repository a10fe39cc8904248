import type { Target } from '../../driver'
import { branchesToAsk, vendorOf } from '../../models/registry'
import type { Vendor } from '../../models/vendor'
import { oid } from '../protocol/ber'
import type { Channel } from '../protocol/channel'
import { brief } from '../protocol/habits'
import { text } from '../protocol/table'
import { answering, greet, openChannel } from '../protocol/transport'
import type { Attempt } from '../protocol/udp'
import type { Shape } from '../tables/interfaces'
import { system } from '../tables/mibs'
import type { Plan } from '../tables/readings'

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
  /** Whether ifSpeed tells what ifHighSpeed does not; undefined until it was looked at. */
  plainSpeed?: boolean
  /** What the polls ask for about health: what the last full reading found. */
  plan?: Plan
  /** Whether the agent has hrStorageTable. */
  storage?: boolean
  /** Its MACs and addresses, where a maker's table has a row a member. */
  own?: ReadonlySet<string>
  /** From sensors, which only full readings ask. */
  temperature?: number
  /** Cisco: whether the agent answers for single VLANs. */
  perVlan?: boolean
}

type FirstWords = { channel: Channel; found: Awaited<ReturnType<typeof greet>> }

const olderAfter = 3000
const older: Attempt[] = [
  { milliseconds: 1500, connected: false },
  { milliseconds: 2500, connected: false },
]

/** The first words by SNMPv1, or by version 2c after all where that answers now; undefined where neither does. */
async function byOlder(newer: Channel, target: Target): Promise<FirstWords | undefined> {
  const channel = await openChannel(target)
  const found = await greet(channel, older).catch(() => undefined)
  if (!found) return undefined
  // A link that loses packets may have swallowed the first ones.
  const name = oid(system.upTime)
  const both = await newer.exchange({ type: 'get', oids: [name] }, brief(channel.habits, 3)).catch(() => undefined)
  return both ? { channel: newer, found: await greet(newer) } : { channel, found }
}

/** Asks; an agent that stays silent on version 2c is asked by version 1, too, which may be all that it can. */
async function firstWords(channel: Channel, target: Target): Promise<FirstWords> {
  const newer = greet(channel).then(found => ({ channel, found }))
  if (target.credential.type !== 'snmp2c') return newer
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<undefined>(done => {
    timer = setTimeout(() => done(undefined), olderAfter)
  })
  const soon = await Promise.race([newer, waited]).finally(() => clearTimeout(timer))
  if (soon) return soon
  const second = byOlder(channel, { ...target, credential: { ...target.credential, type: 'snmp1' } })
  return (await Promise.race([newer.catch(() => undefined), second])) ?? (await second) ?? newer
}

/** Opens a channel and says the first words. The signal ends the wait, not the packets under way. */
export async function connect(target: Target, signal: AbortSignal): Promise<Session> {
  signal.throwIfAborted()
  const opened = await openChannel(target)
  let channel = opened
  const stop = () => channel.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const first = await firstWords(opened, target)
    channel = first.channel
    const { found } = first
    const objectId = found.get(system.objectId)?.value
    const description = found.get(system.description)?.value
    const session: Session = {
      channel,
      address: target.address,
      objectId: typeof objectId === 'string' ? objectId : '',
      description: Buffer.isBuffer(description) ? text(description) : '',
    }
    const branches = branchesToAsk(session.objectId, session.description)
    const answered = branches.length > 0 ? await answering(channel, branches) : []
    session.vendor = vendorOf(session.objectId, session.description, answered)
    return session
  } catch (error) {
    channel.close()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
