import { randomInt } from 'node:crypto'
import { codeAlphabet, codeCharacters, codeOf } from '@/model/guests/voucher-code'
import type { Secrets } from '@/server/kernel/secrets'

/** By which a code is found. */
export const digestOf = (secrets: Secrets, network: number, code: string): string =>
  secrets.mac(`${network} ${code}`, 'voucher')

/** The digest is never another row's, and is known before the row has a number. */
const place = (digest: string) => `vouchers:${digest}:code`

/** One more code of a network, as it is stored. */
export function newCode(secrets: Secrets, network: number): { digest: string; code: string } {
  const plain = codeOf(Array.from({ length: codeCharacters - 1 }, () => randomInt(codeAlphabet.length)))
  const digest = digestOf(secrets, network, plain)
  return { digest, code: secrets.seal(plain, place(digest)) }
}

/** The code in clear, without its dashes; undefined where it was sealed with a key that is gone (a backup without its key). */
export function openCode(secrets: Secrets, { digest, code }: { digest: string; code: string }): string | undefined {
  try {
    return secrets.open(code, place(digest))
  } catch {
    return undefined
  }
}
