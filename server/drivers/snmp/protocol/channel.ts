import { DeviceError, type Reason } from '../../driver'
import { BerError, type Oid, pdu, readBindings, readHead, tag, type VarBind } from './ber'
import { encodeRequest, type Request, type Setting } from './ber-write'
import { type Habits, learnPace, newHabits, usual } from './habits'
import { type Attempt, ask, freshId, type Peer } from './udp'

/** One request and its reply, whatever the version. */
export type Ask = {
  type: 'get' | 'getNext' | 'getBulk' | 'set'
  oids: Oid[]
  /** What the bindings' `base` counts in, when not `oids`: the columns of a walk. */
  bases?: Oid[]
  maxRepetitions?: number
  settings?: Setting[]
}
export type Reply = {
  /** error-status of RFC 3416; 0 is none. */
  status: number
  /** 1-based place of the binding the status is about. */
  index: number
  bindings: VarBind[]
  /** Size of the reply in bytes, where it is known. */
  size?: number
}

export interface Channel {
  readonly version: 1 | 2 | 3
  readonly habits: Habits
  exchange(ask: Ask, attempts?: Attempt[]): Promise<Reply>
  /** The same device seen through another VLAN's bridge tables (Cisco: community@vlan, context vlan-N). */
  forVlan(vlan: number): Channel
  close(): void
}

/** The first request: over a connected socket, which learns at once that a port is closed. */
export const greeting: Attempt[] = [
  { milliseconds: 1500, connected: true },
  { milliseconds: 2500, connected: true },
]

export const exceptions: ReadonlySet<number> = new Set([tag.noSuchObject, tag.noSuchInstance, tag.endOfMibView])

export const status = { tooBig: 1, noSuchName: 2, genErr: 5, noAccess: 6, authorizationError: 16 } as const

export function communityChannel(peer: Peer, version: 1 | 2, community: string, write?: string): Channel {
  // Made for each request: of thousands of sessions each would keep the whole block in which Node puts short bytes.
  const bytesFor = (type: Ask['type']) => Buffer.from((type === 'set' && write) || community)
  const habits = newHabits()
  let closed = false
  return {
    version,
    habits,
    async exchange(question, attempts = usual(habits)) {
      if (closed) throw new DeviceError('cancelled')
      const id = freshId()
      const request: Request = {
        version: version === 1 ? 0 : 1,
        community: bytesFor(question.type),
        type: pdu[question.type],
        id,
        second: question.type === 'getBulk' ? (question.maxRepetitions ?? 10) : 0,
        oids: question.oids,
        settings: question.settings,
      }
      const began = performance.now()
      const data = await ask(peer, id, encodeRequest(request), attempts, reply => isFrom(reply, request.community))
      learnPace(habits, performance.now() - began, attempts)
      if (closed) throw new DeviceError('cancelled')
      return decode(data, question.bases ?? question.oids)
    },
    forVlan: vlan => communityChannel(peer, version, `${community}@${vlan}`),
    close() {
      closed = true
    },
  }
}

/** An agent answers with the community that it was asked with; what cannot be read is for who reads it. */
function isFrom(reply: Buffer, community: Buffer): boolean {
  try {
    return readHead(reply).community.equals(community)
  } catch {
    return true
  }
}

function decode(data: Buffer, asked: Oid[]): Reply {
  try {
    const head = readHead(data)
    const bindings = readBindings(data, head.bindings, asked)
    return { status: head.status, index: head.index, bindings, size: data.length }
  } catch (error) {
    if (error instanceof BerError) throw new DeviceError('malformed', error.message, { cause: error })
    throw error
  }
}

const statusReasons: Partial<Record<number, Reason>> = { 6: 'credentials', 16: 'credentials', 1: 'tooLarge' }

/** The error of a reply whose status is not 0 (RFC 3416 section 3). */
export function statusError(reply: Reply): DeviceError {
  return new DeviceError(statusReasons[reply.status] ?? 'commandFailed', `SNMP error-status ${reply.status}`)
}
