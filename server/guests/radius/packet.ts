import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// Packets of RADIUS (RFC 2865, 2866, 5176), as far as the manager asks: Access-Request, Accounting-Request,
// Disconnect-Request, and what is answered.

const accessRequest = 1
const accepts = 2
const accountingRequest = 4
const accountingResponse = 5
const statusServer = 12
const disconnectRequest = 40
const disconnectAck = 41
const headBytes = 20
const mostBytes = 4096
const messageAuthenticator = 80
const vendorSpecific = 26

/** By their numbers in RFC 2865, 2866 and 2869. */
export const types = {
  userName: 1,
  userPassword: 2,
  chapPassword: 3,
  serviceType: 6,
  framedProtocol: 7,
  framedIp: 8,
  replyMessage: 18,
  class: 25,
  sessionTimeout: 27,
  idleTimeout: 28,
  callingStation: 31,
  nasIdentifier: 32,
  acctStatusType: 40,
  acctDelayTime: 41,
  acctOutputOctets: 43,
  acctSessionId: 44,
  acctAuthentic: 45,
  acctSessionTime: 46,
  acctTerminateCause: 49,
  acctOutputGigawords: 53,
  eventTimestamp: 55,
  chapChallenge: 60,
  nasPortType: 61,
  tunnelGroup: 81,
} as const
export type Attribute = readonly [type: number, value: Buffer]

/** Most bytes of a password (RFC 2865 section 5.2), and of any value. */
export const most = { password: 128, value: 253 }

const md5 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const signed = (secret: string, packet: Buffer): Buffer => createHmac('md5', secret).update(packet).digest()

export const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A password as it crosses the wire: each 16 bytes under a sum of the secret and what stands before (section 5.2). */
export function hidden(password: string, secret: string, authenticator: Buffer): Buffer {
  const bytes = Buffer.from(password)
  const plain = Buffer.concat([bytes, Buffer.alloc(Math.max(1, Math.ceil(bytes.length / 16)) * 16 - bytes.length)])
  let before = authenticator
  const blocks: Buffer[] = []
  for (let at = 0; at < plain.length; at += 16) {
    const mask = md5(secret, before)
    before = Buffer.from(mask.map((byte, index) => byte ^ (plain[at + index] ?? 0)))
    blocks.push(before)
  }
  return Buffer.concat(blocks)
}

const written = (attributes: readonly Attribute[]): Buffer =>
  Buffer.concat(attributes.flatMap(([type, value]) => [Buffer.from([type, value.length + 2]), value]))

export type Request = { id: number; authenticator: Buffer; bytes: Buffer }

function requestOf(
  code: number,
  secret: string,
  attributesWith: (authenticator: Buffer) => readonly Attribute[],
  authenticator = randomBytes(16),
): Request {
  const id = randomBytes(1)[0] ?? 0
  const body = written([[messageAuthenticator, Buffer.alloc(16)], ...attributesWith(authenticator)])
  const head = Buffer.from([code, id, 0, 0])
  head.writeUInt16BE(headBytes + body.length, 2)
  const bytes = Buffer.concat([head, authenticator, body])
  signed(secret, bytes).copy(bytes, headBytes + 2)
  return { id, authenticator, bytes }
}

/** An Access-Request, with Message-Authenticator first (RFC 5080 section 2.2.2): without it anybody could have made it. */
export const accessRequestOf = (
  secret: string,
  attributes: readonly Attribute[],
  proof: (authenticator: Buffer) => readonly Attribute[],
): Request => requestOf(accessRequest, secret, authenticator => [...attributes, ...proof(authenticator)])

/** Tells of a session (RFC 2866 section 4.1): its authenticator is a sum of the rest. */
export function accountingRequestOf(secret: string, attributes: readonly Attribute[]): Request {
  const id = randomBytes(1)[0] ?? 0
  const body = written(attributes)
  const bytes = Buffer.concat([Buffer.from([accountingRequest, id, 0, 0]), Buffer.alloc(16), body])
  bytes.writeUInt16BE(bytes.length, 2)
  const authenticator = md5(bytes, secret)
  authenticator.copy(bytes, 4)
  return { id, authenticator, bytes }
}

/** Asks whether a server is there (RFC 5997); it answers as if it let somebody in. */
export const statusRequestOf = (secret: string): Request => requestOf(statusServer, secret, () => [])

/**
 * Asks an access point to put somebody out (RFC 5176 section 2.1). Its authenticator is a sum of the rest, as of accounting;
 * Message-Authenticator is made before, over zeros in that place (section 3.3).
 */
export function disconnectRequestOf(secret: string, attributes: readonly Attribute[]): Request {
  const { id, bytes } = requestOf(disconnectRequest, secret, () => attributes, Buffer.alloc(16))
  const authenticator = md5(bytes, secret)
  authenticator.copy(bytes, 4)
  return { id, authenticator, bytes }
}

/** Attributes in their order; undefined where lengths do not fit. */
function attributesOf(body: Buffer): Attribute[] | undefined {
  const found: Attribute[] = []
  for (let at = 0; at < body.length; ) {
    const [type = 0, length = 0] = body.subarray(at, at + 2)
    if (length < 2 || at + length > body.length) return undefined
    found.push([type, body.subarray(at + 2, at + length)])
    at += length
  }
  return found
}

export type Response = {
  accepted: boolean
  /** It notes what it was told of a session. */
  accounted: boolean
  attributes: readonly Attribute[]
  /** It carried a Message-Authenticator, which was right. */
  authenticated: boolean
}

/** Whether the Message-Authenticator of an answer is right; undefined where it has none. */
function isAuthentic(secret: string, packet: Buffer, request: Request): boolean | undefined {
  const copy = Buffer.concat([packet.subarray(0, 4), request.authenticator, packet.subarray(headBytes)])
  for (let at = headBytes; at < copy.length; at += copy[at + 1] ?? mostBytes) {
    if (copy[at] !== messageAuthenticator) continue
    if (copy[at + 1] !== 18) return false
    const given = Buffer.from(copy.subarray(at + 2, at + 18))
    copy.fill(0, at + 2, at + 18)
    return timingSafeEqual(given, signed(secret, copy))
  }
  return undefined
}

/** What a datagram answers to a request; undefined for one that the server with this secret did not make for it. */
export function responseTo(request: Request, secret: string, datagram: Buffer): Response | undefined {
  if (datagram.length < headBytes || datagram.length > mostBytes || datagram[1] !== request.id) return undefined
  const length = datagram.readUInt16BE(2)
  if (length < headBytes || length > datagram.length) return undefined
  // What lies behind the length is padding (section 3).
  const packet = datagram.subarray(0, length)
  const attributes = attributesOf(packet.subarray(headBytes))
  const wanted = md5(packet.subarray(0, 4), request.authenticator, packet.subarray(headBytes), secret)
  if (!attributes || !timingSafeEqual(wanted, packet.subarray(4, headBytes))) return undefined
  const authentic = isAuthentic(secret, packet, request)
  if (authentic === false) return undefined
  return {
    accepted: packet[0] === accepts || packet[0] === disconnectAck,
    accounted: packet[0] === accountingResponse,
    attributes,
    authenticated: authentic === true,
  }
}

const numberIn = (value: Buffer | undefined): number | undefined =>
  value?.length === 4 ? value.readUInt32BE() : undefined

export const numberOf = ({ attributes }: Response, type: number): number | undefined =>
  numberIn(attributes.find(one => one[0] === type)?.[1])

/** All of a type, as they are. */
export const allOf = ({ attributes }: Response, type: number): Buffer[] =>
  attributes.filter(one => one[0] === type).map(one => one[1])

export const textOf = ({ attributes }: Response, type: number): string | undefined =>
  attributes.find(one => one[0] === type)?.[1].toString('utf8')

/** A vendor's own attribute (section 5.26). */
export function vendorAttribute(vendor: number, type: number, value: Buffer): Attribute {
  return [vendorSpecific, Buffer.concat([number32(vendor), Buffer.from([type, value.length + 2]), value])]
}

/** A number in one of them. */
export const vendorNumber = ({ attributes }: Response, vendor: number, type: number): number | undefined =>
  attributes
    .filter(([kind, value]) => kind === vendorSpecific && value.length >= 6 && value.readUInt32BE() === vendor)
    .flatMap(([, value]) => attributesOf(value.subarray(4)) ?? [])
    .filter(one => one[0] === type)
    .map(one => numberIn(one[1]))[0]
