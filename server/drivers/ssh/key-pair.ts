import ssh2 from 'ssh2'
import { readKey } from './auth'

export type KeyPair = {
  /** In OpenSSH's own format, without a passphrase. */
  privateKey: string
  /** The line for `authorized_keys`. */
  publicKey: string
}

/** The library writes about one in 250 so that nobody can read it, itself included. */
const tries = 20

/** A new pair of Ed25519 keys. `comment`: ends the public line, for people. */
export function newKeyPair(comment: string): KeyPair {
  for (let n = 0; n < tries; n++) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    if (ssh2.utils.parseKey(pair.private) instanceof Error) continue
    return { privateKey: pair.private, publicKey: pair.public }
  }
  throw new Error('no readable key')
}

/** What a private key has as its public line; `credentials` where it cannot be read. */
export function publicLine(privateKey: string, passphrase?: string): string {
  const key = readKey(privateKey, passphrase)
  return [key.type, key.getPublicSSH().toString('base64'), key.comment].filter(Boolean).join(' ')
}

/**
 * What can be told of a private key without opening it: a `locked` one needs its passphrase, which is not tried here, since
 * the key itself says how long that takes.
 */
export function keyState(privateKey: string): 'open' | 'locked' | 'unreadable' {
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error) return /no passphrase given/.test(key.message) ? 'locked' : 'unreadable'
  return [key].flat()[0]?.isPrivateKey() ? 'open' : 'unreadable'
}
