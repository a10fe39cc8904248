import { createHash } from 'node:crypto'

// SHA-512 crypt, "$6$", as every libc takes it for a password (Ulrich Drepper's specification 0.6 of 2008).

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const rounds = 5000

const sha512 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
/** The digest as often as it takes to fill so many bytes. */
const filled = (digest: Buffer, length: number): Buffer =>
  Buffer.concat(Array<Buffer>(Math.ceil(length / digest.length)).fill(digest)).subarray(0, length)

function firstDigest(key: Buffer, salt: Buffer): Buffer {
  const other = sha512(key, salt, key)
  const parts = [key, salt, filled(other, key.length)]
  for (let count = key.length; count > 0; count >>= 1) parts.push(count & 1 ? other : key)
  return sha512(...parts)
}

/** Three bytes as four letters, the low bits first. */
const letters = (value: number, count: number) =>
  Array.from({ length: count }, (_, at) => alphabet[(value >> (6 * at)) & 63]).join('')

function encoded(digest: Buffer): string {
  const byte = (at: number) => digest[at % 63] ?? 0
  // Byte triples in the order of the specification: each next one is 22 bytes on, in the circle of the first 63.
  const groups = Array.from({ length: 21 }, (_, at) => {
    const start = (22 * at) % 63
    return letters((byte(start) << 16) | (byte(start + 21) << 8) | byte(start + 42), 4)
  })
  return `${groups.join('')}${letters(digest[63] ?? 0, 2)}`
}

/** `salt`: up to 16 letters and digits. */
export function shaCrypt(password: string, salt: string): string {
  const [key, pinch] = [Buffer.from(password), Buffer.from(salt)]
  let digest = firstDigest(key, pinch)
  const again = (what: Buffer, times: number) => sha512(...Array<Buffer>(times).fill(what))
  const keys = filled(again(key, key.length), key.length)
  const salts = filled(again(pinch, 16 + (digest[0] ?? 0)), pinch.length)
  for (let round = 0; round < rounds; round++) {
    const odd = round & 1
    const parts = [odd ? keys : digest]
    if (round % 3) parts.push(salts)
    if (round % 7) parts.push(keys)
    digest = sha512(...parts, odd ? digest : keys)
  }
  return `$6$${salt}$${encoded(digest)}`
}
