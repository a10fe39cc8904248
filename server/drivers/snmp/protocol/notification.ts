import { BerError, pdu, Reader, readBindings, readOid, tag, type VarBind } from './ber'

// Traps and informs (RFC 1157, RFC 3416): what a device tells unasked.

/** One trap or inform, whatever its version. */
export type Notification = {
  version: 1 | 2 | 3
  /** An inform: its sender waits for an answer, and repeats it without. */
  inform: boolean
  /** Which notification; that of version 1 as RFC 3584 section 3.1 translates it. */
  trap: string
  /** Whom a trap of version 1 is of, where its sender passes it on. */
  agent?: string
  /** Without sysUpTime and snmpTrapOID, which every notification begins with. */
  bindings: VarBind[]
}

/** Of version 1 or 2c, with what its sender proves itself with. `answer`: what an inform is to be answered. */
export type CommunityNotification = { community: Buffer; notification: Notification; id: number; answer?: Buffer }

const upTime = '1.3.6.1.2.1.1.3.0'
const trapId = '1.3.6.1.6.3.1.1.4.1.0'
const standardTraps = '1.3.6.1.6.3.1.1.5'
const ownNumber = 6

/** The notification's identifier is the second binding; some senders leave out the first. */
export function readModern(data: Buffer, from: number, version: 2 | 3, inform: boolean): Notification {
  const bindings = readBindings(data, from, [])
  const found = bindings.find(({ oid }) => oid === trapId)
  if (typeof found?.value !== 'string') throw new BerError('no snmpTrapOID')
  const rest = bindings.filter(({ oid }) => oid !== trapId && oid !== upTime)
  return { version, inform, trap: found.value, bindings: rest }
}

function readFirst(data: Buffer, reader: Reader): Notification {
  reader.open(tag.oid)
  const enterprise = readOidAt(data, reader)
  const agent = [...reader.bytes(tag.ipAddress)].join('.')
  const generic = reader.integer()
  const specific = reader.integer()
  reader.open(tag.timeTicks)
  reader.at = reader.stop
  if (generic < 0 || generic > ownNumber) throw new BerError('no such generic trap')
  return {
    ...{ version: 1 as const, inform: false },
    trap: generic === ownNumber ? `${enterprise}.0.${specific}` : `${standardTraps}.${generic + 1}`,
    ...(agent !== '0.0.0.0' && { agent }),
    bindings: readBindings(data, reader.at, []),
  }
}

/** An identifier that is a value: `open` was called on it. */
function readOidAt(data: Buffer, reader: Reader): string {
  const text = readOid(data, reader.at, reader.stop, true)
  reader.at = reader.stop
  return text
}

/** The version of a message, as it stands there: 0 (v1), 1 (v2c) or 3. Throws BerError. */
export function versionOf(data: Buffer): number {
  const reader = new Reader(data)
  reader.open(0x30)
  reader.end = reader.stop
  return reader.integer()
}

/** Reads a notification of version 1 or 2c. Throws BerError for what is none. */
export function readNotification(data: Buffer): CommunityNotification {
  const reader = new Reader(data)
  reader.open(0x30)
  reader.end = reader.stop
  const version = reader.integer()
  const community = reader.bytes()
  const typeAt = reader.at
  const type = reader.open()
  reader.end = reader.stop
  if (version === 0 && type === pdu.trap) return { community, id: 0, notification: readFirst(data, reader) }
  if (version !== 1 || (type !== pdu.trap2 && type !== pdu.inform)) throw new BerError(`not a notification: ${type}`)
  const id = reader.integer()
  reader.integer()
  reader.integer()
  const inform = type === pdu.inform
  const notification = readModern(data.subarray(0, reader.end), reader.at, 2, inform)
  return { community, id, notification, ...(inform && { answer: answerTo(data, typeAt) }) }
}

/** An inform is answered with itself: the same number, the same bindings, no error (RFC 3416 section 4.2.7). */
export function answerTo(data: Buffer, typeAt: number): Buffer {
  const answer = Buffer.from(data)
  answer[typeAt] = pdu.response
  return answer
}
