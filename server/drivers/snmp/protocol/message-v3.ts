import { timingSafeEqual } from 'node:crypto'
import { BerError, type Oid, pdu, Reader, readBindings, tag, type VarBind } from './ber'
import { integer, tlv } from './ber-write'
import { type AuthProtocol, type Clock, decrypt, digest, digestBytes, encrypt, type PrivProtocol } from './usm'

// SNMPv3 messages (RFC 3412 section 6, RFC 3414 section 2.4).

export type Keys = { auth?: AuthProtocol; authKey?: Buffer; priv?: PrivProtocol; privKey?: Buffer }
export type Engine = { id: Buffer; clock: Clock }

const maxSize = 65507
export const flag = { auth: 1, priv: 2, reportable: 4 }

export type Outgoing = {
  id: number
  user: string
  engine: Engine
  keys: Keys
  context: string
  body: Buffer
  /** Whose values these are; absent: the engine's own. */
  contextEngine?: Buffer
  /** An answer: nobody is to report anything about it. */
  final?: true
}

/** `body` is the PDU itself. Authenticated and encrypted as far as `keys` go. */
export function encodeV3({
  id,
  user,
  engine,
  keys,
  context,
  contextEngine = engine.id,
  body,
  final,
}: Outgoing): Buffer {
  const scoped = tlv(0x30, tlv(tag.octets, contextEngine), tlv(tag.octets, Buffer.from(context)), body)
  const secret = keys.priv && keys.privKey ? encrypt(keys.priv, keys.privKey, engine.clock, scoped) : undefined
  const flags = (final ? 0 : flag.reportable) | (keys.auth ? flag.auth : 0) | (secret ? flag.priv : 0)
  const blank = Buffer.alloc(keys.auth ? digestBytes(keys.auth) : 0)
  const security = (authParameters: Buffer) =>
    tlv(
      0x30,
      tlv(tag.octets, engine.id),
      integer(engine.clock.boots),
      integer(engine.clock.time),
      tlv(tag.octets, Buffer.from(user)),
      tlv(tag.octets, authParameters),
      tlv(tag.octets, secret?.salt ?? Buffer.alloc(0)),
    )
  const head = tlv(0x30, integer(id), integer(maxSize), tlv(tag.octets, Buffer.from([flags])), integer(3))
  const whole = (authParameters: Buffer) =>
    tlv(
      0x30,
      integer(3),
      head,
      tlv(tag.octets, security(authParameters)),
      secret ? tlv(tag.octets, secret.data) : scoped,
    )
  const message = whole(blank)
  return keys.auth && keys.authKey ? whole(digest(keys.auth, keys.authKey, message)) : message
}

export type Incoming = {
  id: number
  engine: Engine
  /** Checked against the key, where there is one. */
  authentic: boolean
  encrypted: boolean
  type: number
  requestId: number
  status: number
  index: number
  bindings: VarBind[]
}

/** Reads, authenticates and decrypts. Throws BerError for what breaks the protocol or has a wrong digest. */
export function decodeV3(data: Buffer, keys: Keys, asked: Oid[]): Incoming {
  const reader = new Reader(data)
  reader.open(0x30)
  reader.end = reader.stop
  if (reader.integer() !== 3) throw new BerError('other version')
  reader.open(0x30)
  const headEnd = reader.stop
  const id = reader.integer()
  reader.integer()
  const flags = reader.bytes()[0] ?? 0
  reader.at = headEnd
  reader.open(tag.octets)
  const afterSecurity = reader.stop
  const security = readSecurity(data, reader.at, reader.stop)
  reader.at = afterSecurity
  const authentic = (flags & flag.auth) !== 0 && isAuthentic(data, keys, security.digestAt, security.digest)
  const encrypted = (flags & flag.priv) !== 0
  const engine = { id: security.engineId, clock: security.clock }
  const message = { id, engine, authentic, encrypted }
  if (!encrypted) return { ...message, ...readScoped(data, reader.at, asked) }
  if (!keys.priv || !keys.privKey) throw new BerError('encrypted without being asked to')
  const plain = decrypt(keys.priv, keys.privKey, security.clock, security.salt, reader.bytes())
  return { ...message, ...readScoped(plain, 0, asked) }
}

export function readSecurity(data: Buffer, at: number, stop: number) {
  const reader = new Reader(data, at, stop)
  reader.open(0x30)
  const engineId = Buffer.from(reader.bytes())
  const clock = { boots: reader.integer(), time: reader.integer() }
  const user = reader.bytes()
  const found = reader.bytes()
  const digestAt = reader.at - found.length
  return { engineId, clock, user: user.toString(), digest: Buffer.from(found), digestAt, salt: reader.bytes() }
}

export function isAuthentic(data: Buffer, keys: Keys, digestAt: number, found: Buffer): boolean {
  if (!keys.auth || !keys.authKey) return false
  if (found.length !== digestBytes(keys.auth)) throw new BerError('digest of another length')
  const blanked = Buffer.from(data)
  blanked.fill(0, digestAt, digestAt + found.length)
  if (!timingSafeEqual(digest(keys.auth, keys.authKey, blanked), found)) throw new BerError('wrong digest')
  return true
}

function readScoped(data: Buffer, at: number, asked: Oid[]) {
  const reader = new Reader(data, at)
  reader.open(0x30)
  reader.end = reader.stop
  reader.bytes()
  reader.bytes()
  const type = reader.open()
  if (type !== pdu.response && type !== pdu.report) throw new BerError(`not a response: ${type}`)
  reader.end = reader.stop
  const requestId = reader.integer()
  const status = reader.integer()
  const index = reader.integer()
  return { type, requestId, status, index, bindings: readBindings(data.subarray(0, reader.end), reader.at, asked) }
}
