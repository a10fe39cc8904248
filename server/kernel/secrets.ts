import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

export type Secrets = {
  /** Seals text for one place: `place` is `table:row:field`, and only there it opens again. */
  seal(text: string, place: string): string
  open(sealed: string, place: string): string
  /** Keyed digest, hex. */
  mac(text: string, purpose: string): string
  /** A derived secret for another library (cookies). */
  derive(purpose: string): string
}

/** AES-256-GCM under `key` (32 bytes); sealed form `v1.<iv>.<tag>.<ciphertext>` in base64url. */
export function secretsOf(key: Buffer): Secrets {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', key, 'lanward', purpose, 32))
  const sealKey = keyFor('seal')
  return {
    seal(text, place) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv)
      cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['v1', ...[iv, cipher.getAuthTag(), body].map(part => part.toString('base64url'))].join('.')
    },
    open(sealed, place) {
      const [version, iv, tag, body] = sealed.split('.')
      if (version !== 'v1' || !iv || !tag || body === undefined) throw new Error('not a sealed value')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
    },
    mac: (text, purpose) =>
      createHmac('sha256', keyFor(`mac:${purpose}`))
        .update(text)
        .digest('hex'),
    derive: purpose => keyFor(`derive:${purpose}`).toString('base64url'),
  }
}

/** The data folder's key, made at first start: 32 bytes, mode 0600, on disk before anything is sealed with it. */
export function loadKey(file: string): Buffer {
  if (!existsSync(/* turbopackIgnore: true */ file)) {
    const handle = openSync(`${file}.new`, 'w', 0o600)
    writeSync(handle, randomBytes(32))
    fsyncSync(handle)
    closeSync(handle)
    renameSync(`${file}.new`, file)
  }
  const key = readFileSync(/* turbopackIgnore: true */ file)
  if (key.length !== 32) throw new Error(`${file} is not a key of 32 bytes`)
  return key
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
