import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

// Keys, digests and ciphers of the user-based security model: RFC 3414 (MD5, SHA, DES), RFC 7860 (SHA-2),
// RFC 3826 (AES-128), and the two ways vendors stretch keys to 256 bits: draft-blumenthal-aes-usm and
// draft-reeder-snmpv3-usm-3desede (Cisco and others).

export type AuthProtocol = 'md5' | 'sha' | 'sha224' | 'sha256' | 'sha384' | 'sha512'
export type PrivProtocol = 'des' | 'aes' | 'aes256b' | 'aes256r'

const auths: Record<AuthProtocol, { hash: string; digestBytes: number }> = {
  md5: { hash: 'md5', digestBytes: 12 },
  sha: { hash: 'sha1', digestBytes: 12 },
  sha224: { hash: 'sha224', digestBytes: 16 },
  sha256: { hash: 'sha256', digestBytes: 24 },
  sha384: { hash: 'sha384', digestBytes: 32 },
  sha512: { hash: 'sha512', digestBytes: 48 },
}

export const digestBytes = (auth: AuthProtocol) => auths[auth].digestBytes

// The password is repeated to a megabyte (RFC 3414 A.2), some milliseconds of hashing; rotated when it grows.
const stretched = new Map<string, Buffer>()

function stretch(auth: AuthProtocol, password: Buffer): Buffer {
  const name = `${auth}:${createHash('sha256').update(password).digest('base64')}`
  const seen = stretched.get(name)
  if (seen) return seen
  const megabyte = Buffer.alloc(1 << 20, password)
  const key = createHash(auths[auth].hash).update(megabyte).digest()
  if (stretched.size >= 500) stretched.clear()
  stretched.set(name, key)
  return key
}

/** The key of one engine. An empty password has no key: the caller refuses it before. */
export function localizedKey(auth: AuthProtocol, password: Buffer, engineId: Buffer): Buffer {
  const key = stretch(auth, password)
  return createHash(auths[auth].hash).update(key).update(engineId).update(key).digest()
}

/** The privacy key, as long as the cipher needs it: 16 bytes for DES (key and pre-IV) and AES-128, else 32. */
export function privacyKey(priv: PrivProtocol, auth: AuthProtocol, password: Buffer, engineId: Buffer): Buffer {
  const size = priv === 'des' || priv === 'aes' ? 16 : 32
  let key = localizedKey(auth, password, engineId)
  let last = key
  while (key.length < size) {
    last = priv === 'aes256r' ? localizedKey(auth, last, engineId) : createHash(auths[auth].hash).update(key).digest()
    key = Buffer.concat([key, last])
  }
  return key.subarray(0, size)
}

/** The digest that authenticates `message`, whose own digest field must be zeroed. */
export function digest(auth: AuthProtocol, key: Buffer, message: Buffer): Buffer {
  return createHmac(auths[auth].hash, key).update(message).digest().subarray(0, auths[auth].digestBytes)
}

export type Clock = { boots: number; time: number }

function aesVector({ boots, time }: Clock, salt: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(boots >>> 0, 0)
  head.writeUInt32BE(time >>> 0, 4)
  return Buffer.concat([head, salt])
}

const desVector = (key: Buffer, salt: Buffer) => Buffer.from(salt.map((byte, i) => byte ^ (key[8 + i] as number)))

// OpenSSL 3 no longer has single DES; triple DES with one key three times over is the same function.
const tripled = (key: Buffer) => Buffer.concat([key.subarray(0, 8), key.subarray(0, 8), key.subarray(0, 8)])

const aesName = (key: Buffer) => (key.length === 16 ? 'aes-128-cfb' : 'aes-256-cfb')

/** Encrypts a scoped PDU; `salt` goes into msgPrivacyParameters. */
export function encrypt(priv: PrivProtocol, key: Buffer, clock: Clock, plain: Buffer): { data: Buffer; salt: Buffer } {
  const salt = randomBytes(8)
  if (priv !== 'des') {
    const cipher = createCipheriv(aesName(key), key, aesVector(clock, salt))
    return { salt, data: Buffer.concat([cipher.update(plain), cipher.final()]) }
  }
  salt.writeUInt32BE(clock.boots >>> 0, 0)
  const cipher = createCipheriv('des-ede3-cbc', tripled(key), desVector(key, salt)).setAutoPadding(false)
  const padded = Buffer.concat([plain, Buffer.alloc((8 - (plain.length % 8)) % 8)])
  return { salt, data: Buffer.concat([cipher.update(padded), cipher.final()]) }
}

/** The plain scoped PDU, for DES with its padding. Throws when sizes are wrong; a wrong key gives rubbish. */
export function decrypt(priv: PrivProtocol, key: Buffer, clock: Clock, salt: Buffer, data: Buffer): Buffer {
  if (salt.length !== 8) throw new Error('bad privacy parameters')
  if (priv !== 'des') {
    const decipher = createDecipheriv(aesName(key), key, aesVector(clock, salt))
    return Buffer.concat([decipher.update(data), decipher.final()])
  }
  const decipher = createDecipheriv('des-ede3-cbc', tripled(key), desVector(key, salt)).setAutoPadding(false)
  return Buffer.concat([decipher.update(data), decipher.final()])
}
