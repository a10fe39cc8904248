import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import type { Secrets } from '@/server/kernel/secrets'
import { inTurn } from '@/server/people/accounts/passwords'
import type { WrappedKey } from './manifest'

const memoryKib = 65_536
const passes = 3
/** Algorithm.Argon2id; the package's enum is a `const enum`, which isolated modules cannot read. */
const argon2id = 2

const stretch = (passphrase: string, salt: Buffer, memory: number, times: number) =>
  inTurn(() =>
    hashRaw(passphrase.normalize('NFKC'), {
      algorithm: argon2id,
      memoryCost: memory,
      timeCost: times,
      parallelism: 1,
      outputLen: 32,
      salt,
    }),
  )

/** Names a key without giving it away: 16 hex digits. */
export const keyIdOf = (secrets: Secrets): string => secrets.mac('lanward', 'key-id').slice(0, 16)

export async function wrapKey(key: Buffer, passphrase: string): Promise<WrappedKey> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt, memoryKib, passes), iv)
  const body = Buffer.concat([cipher.update(key), cipher.final()])
  const text = (part: Buffer) => part.toString('base64')
  return { memoryKib, passes, salt: text(salt), iv: text(iv), tag: text(cipher.getAuthTag()), body: text(body) }
}

/** The key, or undefined when the passphrase is not the one. */
export async function unwrapKey(wrapped: WrappedKey, passphrase: string): Promise<Buffer | undefined> {
  const bytes = (part: string) => Buffer.from(part, 'base64')
  const stretched = await stretch(passphrase, bytes(wrapped.salt), wrapped.memoryKib, wrapped.passes)
  const decipher = createDecipheriv('aes-256-gcm', stretched, bytes(wrapped.iv), { authTagLength: 16 })
  try {
    decipher.setAuthTag(bytes(wrapped.tag))
    const key = Buffer.concat([decipher.update(bytes(wrapped.body)), decipher.final()])
    return key.length === 32 ? key : undefined
  } catch {
    return undefined
  }
}
