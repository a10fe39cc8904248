import { createHash } from 'node:crypto'
import type { NativeConfig } from '@/server/drivers/driver'

/** A plan in short, for what is asked of it with every plan: the plan itself is long and sealed. */
export type ConfigDigest = {
  /** Of its blocks but those of imported items, which may be released after. */
  digest: string
  /** Settings kinds that had a part in it. */
  kinds: string[]
}

/** Whatever the order of the blocks. */
export function sameConfig(a: NativeConfig, b: NativeConfig): boolean {
  const texts = new Map(b.blocks.map(({ id, text }) => [id, text]))
  return texts.size === a.blocks.length && a.blocks.every(({ id, text }) => texts.get(id) === text)
}

const inOrder = ({ blocks }: NativeConfig) => blocks.toSorted((a, b) => (a.id < b.id ? -1 : 1))

export const digestOf = (config: NativeConfig): string =>
  createHash('sha256')
    .update(
      inOrder(config)
        .map(({ id, text }) => `${id}\n${text}`)
        .join('\0'),
    )
    .digest('base64')

export const configDigestOf = ({ blocks }: NativeConfig): ConfigDigest => ({
  digest: digestOf({ blocks: blocks.filter(block => block.item === undefined) }),
  kinds: [...new Set(blocks.flatMap(block => block.kind ?? []))],
})
