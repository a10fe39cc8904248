import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

export class BodyTooLarge extends Error {}

/**
 * Writes a body to a new file as it comes, until it is on the disk. Throws `BodyTooLarge` as soon as there is more than
 * `most`, and stops reading then. What it wrote stays, for whoever asked to remove.
 */
export async function writeBody(
  path: string,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const handle = await open(/* turbopackIgnore: true */ path, 'wx', 0o600)
  try {
    for await (const piece of body) {
      bytes += piece.length
      if (bytes > most) throw new BodyTooLarge()
      hash.update(piece)
      await handle.writeFile(piece)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}
