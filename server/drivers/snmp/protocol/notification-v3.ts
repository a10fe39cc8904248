import type { Credential } from '../../driver'
import { BerError, pdu, Reader, tag } from './ber'
import { encodePdu } from './ber-write'
import { type Engine, encodeV3, flag, isAuthentic, type Keys, readSecurity } from './message-v3'
import { answerTo, type Notification, readModern } from './notification'
import { type Clock, decrypt } from './usm'
import { keysFor } from './usm-channel'

// Traps and informs of version 3 (RFC 3414 section 3.2). Of a trap the sender's engine is the one whose clock counts,
// of an inform ours.

export type V3Login = Extract<Credential, { type: 'snmp3' }>

/** Why a message is not taken. */
export type TrapRefusal = 'malformed' | 'community' | 'user' | 'level' | 'digest' | 'clock' | 'decryption'

export type V3Outcome =
  | { notification: Notification; id: number; answer?: Buffer }
  /** Part of how informs begin: the sender learns our engine and its clock. */
  | { report: Buffer; refused?: TrapRefusal }
  | { refused: TrapRefusal }

/** Our engine: its clock in seconds since it began for the `boots`th time. */
export type OwnEngine = { id: Buffer; now(): Clock }
/** Engines of senders; `isFresh` notes a clock, or says that it lies too far back. */
export type SeenEngines = { isFresh(id: Buffer, clock: Clock): boolean }

const confirmSeconds = 150
const mostEngines = 4096
const usmModel = 3
const reports = {
  level: '1.3.6.1.6.3.15.1.1.1.0',
  clock: '1.3.6.1.6.3.15.1.1.2.0',
  user: '1.3.6.1.6.3.15.1.1.3.0',
  engine: '1.3.6.1.6.3.15.1.1.4.0',
  digest: '1.3.6.1.6.3.15.1.1.5.0',
  decryption: '1.3.6.1.6.3.15.1.1.6.0',
} as const
const counter32 = 0x41

/** The last that were heard; an older one is known no more, so a flood of invented engines takes no memory. */
export function seenEngines(): SeenEngines {
  const book = new Map<string, Clock>()
  return {
    isFresh(id, clock) {
      const key = id.toString('hex')
      const last = book.get(key)
      const old =
        last && (clock.boots < last.boots || (clock.boots === last.boots && clock.time < last.time - confirmSeconds))
      if (old) return false
      book.delete(key)
      const later = last?.boots === clock.boots && last.time > clock.time ? last : clock
      book.set(key, later)
      if (book.size > mostEngines) book.delete(book.keys().next().value as string)
      return true
    },
  }
}

type Message = ReturnType<typeof readMessage>

function readMessage(data: Buffer) {
  const reader = new Reader(data)
  reader.open(0x30)
  reader.end = reader.stop
  reader.integer()
  reader.open(0x30)
  const headEnd = reader.stop
  const id = reader.integer()
  reader.integer()
  const flags = reader.bytes()[0] ?? 0
  if (reader.integer() !== usmModel) throw new BerError('other security model')
  reader.at = headEnd
  reader.open(tag.octets)
  const bodyAt = reader.stop
  const security = readSecurity(data, reader.at, bodyAt)
  const has = (bit: number) => (flags & bit) !== 0
  const [auth, priv, reportable] = [has(flag.auth), has(flag.priv), has(flag.reportable)]
  if (priv && !auth) throw new BerError('encrypted and not authenticated')
  return { data, id, auth, priv, reportable, security, bodyAt, end: reader.end }
}

/** The user whose key fits; a refusal where none does. */
function userOf({ data, auth, priv, security }: Message, logins: readonly V3Login[]) {
  let refused: TrapRefusal = 'user'
  for (const login of logins.filter(one => one.user === security.user)) {
    if (auth !== (login.level !== 'noAuthNoPriv') || priv !== (login.level === 'authPriv')) {
      refused = 'level'
      continue
    }
    // A key for privacy may take a megabyte of hashing at each new engine: only whose digest is right gets one made.
    const unsealed = keysFor(auth ? { ...login, level: 'authNoPriv' } : login, security.engineId)
    try {
      if (!auth || isAuthentic(data, unsealed, security.digestAt, security.digest))
        return { keys: priv ? keysFor(login, security.engineId) : unsealed }
    } catch {
      // Of another key, or another digest's length.
    }
    refused = 'digest'
  }
  return { refused }
}

function readScopedPdu(plain: Buffer) {
  const reader = new Reader(plain)
  reader.open(0x30)
  reader.end = reader.stop
  const contextEngine = reader.bytes()
  const context = reader.bytes().toString()
  const typeAt = reader.at
  const type = reader.open()
  reader.end = reader.stop
  const pduEnd = reader.stop
  const id = reader.integer()
  reader.integer()
  reader.integer()
  return { contextEngine, context, type, typeAt, id, pduEnd, bindingsAt: reader.at }
}

function plainOf({ data, priv, security, bodyAt, end }: Message, keys: Keys): Buffer {
  if (!priv) return data.subarray(bodyAt, end)
  const sealed = new Reader(data, bodyAt, end).bytes()
  return decrypt(keys.priv as 'aes', keys.privKey as Buffer, security.clock, security.salt, sealed)
}

/** Reads, authenticates and decrypts one message of version 3. Throws BerError for what is none. */
export function receiveV3(data: Buffer, logins: readonly V3Login[], own: OwnEngine, engines: SeenEngines): V3Outcome {
  const message = readMessage(data)
  const { reportable, security } = message
  const engine: Engine = { id: own.id, clock: own.now() }
  const refuse = (refused: TrapRefusal | undefined, oid: string, keys: Keys = {}): V3Outcome => {
    if (!reportable) return { refused: refused ?? 'malformed' }
    const settings = [{ oid, type: counter32, value: 1 }]
    const body = encodePdu({ type: pdu.report, id: 0, oids: [], settings })
    const { auth, authKey } = keys
    const signed = auth && authKey ? { auth, authKey } : {}
    const user = auth ? security.user : ''
    const report = encodeV3({ id: message.id, user, engine, keys: signed, context: '', body, final: true })
    return { report, ...(refused && { refused }) }
  }
  if (reportable && !security.engineId.equals(own.id)) return refuse(undefined, reports.engine)
  if (security.engineId.length < 5 || security.engineId.length > 32) throw new BerError('no engine id')
  const found = userOf(message, logins)
  if ('refused' in found) return refuse(found.refused, reports[found.refused as keyof typeof reports])
  const { keys } = found
  if (message.auth && !isInTime(message, engine.clock, engines))
    return refuse(reportable ? undefined : 'clock', reports.clock, keys)
  const plain = plainOrNone(message, keys)
  if (!plain) return refuse('decryption', reports.decryption)
  const scoped = readScopedPdu(plain)
  const inform = scoped.type === pdu.inform
  if (!inform && scoped.type !== pdu.trap2) throw new BerError(`not a notification: ${scoped.type}`)
  const notification = readModern(plain.subarray(0, scoped.pduEnd), scoped.bindingsAt, 3, inform)
  if (!inform) return { notification, id: scoped.id }
  const body = answerTo(plain.subarray(scoped.typeAt, scoped.pduEnd), 0)
  const { context, contextEngine } = scoped
  return {
    ...{ notification, id: scoped.id },
    answer: encodeV3({ id: message.id, user: security.user, engine, keys, context, contextEngine, body, final: true }),
  }
}

/** A wrong key gives rubbish, which is no sequence. */
function plainOrNone(message: Message, keys: Keys): Buffer | undefined {
  try {
    const plain = plainOf(message, keys)
    return plain[0] === 0x30 ? plain : undefined
  } catch {
    return undefined
  }
}

function isInTime({ reportable, security }: Message, own: Clock, engines: SeenEngines): boolean {
  const { engineId, clock } = security
  if (!reportable) return engines.isFresh(engineId, clock)
  return clock.boots === own.boots && Math.abs(clock.time - own.time) <= confirmSeconds
}
