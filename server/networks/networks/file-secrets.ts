import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import * as z from 'zod'
import { fail } from '@/server/kernel/fail'
import { inTurn } from '@/server/people/accounts/passwords'
import type { boxShape, Secrets } from './file-shape'

// Secrets of a network's file, sealed with a passphrase.

const clearShape = z.record(z.string(), z.record(z.string(), z.unknown()))

// The package's own enum is ambient and cannot be imported by a single-file compiler.
const argon2id = 2

const keyOf = (passphrase: string, salt: Buffer) =>
  inTurn(() =>
    hashRaw(passphrase, {
      algorithm: argon2id,
      salt,
      memoryCost: 65_536,
      timeCost: 3,
      parallelism: 1,
      outputLen: 32,
    }),
  )

export async function sealBox(passphrase: string, clear: Secrets): Promise<z.output<typeof boxShape>> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), iv)
  const body = Buffer.concat([cipher.update(JSON.stringify(clear), 'utf8'), cipher.final()])
  const text = (bytes: Buffer) => bytes.toString('base64url')
  return { salt: text(salt), iv: text(iv), tag: text(cipher.getAuthTag()), body: text(body) }
}

export async function openBox(passphrase: string, box: z.output<typeof boxShape>): Promise<Secrets> {
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const key = await keyOf(passphrase, bytes(box.salt))
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes(box.iv), { authTagLength: 16 })
    cipher.setAuthTag(bytes(box.tag))
    return clearShape.parse(
      JSON.parse(Buffer.concat([cipher.update(bytes(box.body)), cipher.final()]).toString('utf8')),
    )
  } catch {
    return fail('invalidInput', { fields: { passphrase: 'passphraseWrong' } })
  }
}
