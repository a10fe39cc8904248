import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { ntHash } from './here/md4'
import { type Attribute, hidden, types, vendorAttribute } from './packet'

// How a password is proven to a server: itself, hidden by the shared secret (PAP), or by an answer to a challenge that says
// nothing of it to whoever listens (CHAP, MS-CHAPv2).

const microsoft = { vendor: 311, challenge: 11, response: 25 }

/** RFC 2865 section 5.3: the identifier, and MD5 of it, the password and the challenge. */
export function chapPassword(id: number, password: string, challenge: Buffer): Buffer {
  const head = Buffer.from([id])
  const sum = createHash('md5').update(head).update(password).update(challenge)
  return Buffer.concat([head, sum.digest()])
}

/** 7 bytes as a key of DES: 8, each with its lowest bit, which is parity, left out. */
function desKey(seven: Buffer): Buffer {
  const bits = BigInt(`0x${seven.toString('hex')}`)
  return Buffer.from(Array.from({ length: 8 }, (_, at) => Number((bits >> BigInt(49 - at * 7)) & 127n) << 1))
}

/** OpenSSL gives DES alone to nobody any more; triple DES by one key three times is the same. */
function des(seven: Buffer, block: Buffer): Buffer {
  const key = desKey(seven)
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null)
  return cipher.setAutoPadding(false).update(block)
}

type Challenged = { name: string; password: string; server: Buffer; peer: Buffer }

/** RFC 2759 section 8.1; a name counts without the domain before it. */
export function ntResponse({ name, password, server, peer }: Challenged): Buffer {
  const user = name.slice(name.lastIndexOf('\\') + 1)
  const challenge = createHash('sha1').update(peer).update(server).update(user).digest().subarray(0, 8)
  const hash = Buffer.concat([Buffer.from(ntHash(password), 'hex'), Buffer.alloc(5)])
  return Buffer.concat([0, 7, 14].map(at => des(hash.subarray(at, at + 7), challenge)))
}

const byte = (): number => randomBytes(1)[0] ?? 0

function byMsChap(name: string, password: string): Attribute[] {
  const [server, peer] = [randomBytes(16), randomBytes(16)]
  const head = Buffer.from([byte(), 0])
  // RFC 2548 section 2.3.2: the peer's challenge, 8 bytes of nothing, the response.
  const response = Buffer.concat([head, peer, Buffer.alloc(8), ntResponse({ name, password, server, peer })])
  return [
    vendorAttribute(microsoft.vendor, microsoft.challenge, server),
    vendorAttribute(microsoft.vendor, microsoft.response, response),
  ]
}

function byChap(password: string): Attribute[] {
  const challenge = randomBytes(16)
  return [
    [types.chapPassword, chapPassword(byte(), password, challenge)],
    [types.chapChallenge, challenge],
  ]
}

export type ProofMethod = 'pap' | 'chap' | 'mschapv2'
type Typed = { name: string; password: string }

/** The attributes by which a request proves a password; `authenticator`: the request's. */
export function proofOf(
  method: ProofMethod,
  { name, password }: Typed,
  secret: string,
  authenticator: Buffer,
): Attribute[] {
  if (method === 'chap') return byChap(password)
  if (method === 'mschapv2') return byMsChap(name, password)
  return [[types.userPassword, hidden(password, secret, authenticator)]]
}
