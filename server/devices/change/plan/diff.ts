import { type NativeBlock, type NativeConfig, secretClose, secretOpen } from '@/server/drivers/driver'

export type DiffLine = { sign: ' ' | '+' | '-'; text: string }
export type BlockChange = {
  id: string
  action: 'add' | 'change' | 'remove'
  /** Kind and document that own the block, where one does. */
  kind?: string
  document?: string
  lines: DiffLine[]
}

// From the nearest opening mark: a stray one before it, in a name, must not take the lines between for the secret.
const marked = new RegExp(`${secretOpen}([^${secretOpen}${secretClose}]*)${secretClose}`, 'g')
const hiddenText = '••••••••'
// Longer ones are shown whole, before and after: a line by line comparison costs their product.
const comparedLines = 1500

/** The clear secrets that stand marked in a configuration. */
export const secretsIn = (config: NativeConfig): string[] =>
  config.blocks
    .filter(block => block.text.includes(secretOpen))
    .flatMap(block => [...block.text.matchAll(marked)].flatMap(match => match[1]?.split('\n') ?? []))
    .filter(Boolean)

/** A configuration's text as it may be shown: marked secrets hidden, and known ones even where they stand unmarked. */
export function masked(text: string, known: readonly string[]): string {
  const marks = text.replace(marked, hiddenText)
  // Longest first: a secret that begins with another must not leave its end behind.
  const longest = known.toSorted((a, b) => b.length - a.length)
  return longest.reduce((shown, secret) => shown.replaceAll(secret, hiddenText), marks)
}

/** `table[row][column]`: how many lines the rests from there have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--) {
      const same = before[row] === after[column]
      const [here, below] = [table[row], table[row + 1]] as [Uint16Array, Uint16Array]
      here[column] = same ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, here[column + 1] ?? 0)
    }
  return table
}

/** Lines to keep, drop and add, by the longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length > comparedLines || after.length > comparedLines)
    return [...before.map(text => ({ sign: '-' as const, text })), ...after.map(text => ({ sign: '+' as const, text }))]
  const table = commonLengths(before, after)
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < before.length && column < after.length) {
    const [left = '', right = ''] = [before[row], after[column]]
    if (left === right) {
      lines.push({ sign: ' ', text: left })
      row += 1
      column += 1
    } else if ((table[row + 1]?.[column] ?? 0) >= (table[row]?.[column + 1] ?? 0)) {
      lines.push({ sign: '-', text: left })
      row += 1
    } else {
      lines.push({ sign: '+', text: right })
      column += 1
    }
  }
  return [
    ...lines,
    ...before.slice(row).map(text => ({ sign: '-' as const, text })),
    ...after.slice(column).map(text => ({ sign: '+' as const, text })),
  ]
}

const linesOf = (block: NativeBlock | undefined) => (block ? block.text.replace(/\n$/, '').split('\n') : [])

/** Pairs of the same block, for the driver's own comparison. */
export const pairsOf = (planned: NativeConfig, seen: NativeConfig): [NativeBlock, NativeBlock][] => {
  const byId = new Map(seen.blocks.map(block => [block.id, block]))
  return planned.blocks.flatMap(block => {
    const other = byId.get(block.id)
    return other ? [[block, other] as [NativeBlock, NativeBlock]] : []
  })
}

/**
 * What a push would do, block by block. `equal` holds the ids of blocks that the driver counts as the same. Lines are
 * compared in clear and hidden after: a secret that is replaced shows as two lines. `secrets`: those of the settings, that
 * are hidden whether they are marked or not.
 */
export function diffConfigs(
  planned: NativeConfig,
  seen: NativeConfig,
  equal: ReadonlySet<string>,
  secrets: () => readonly string[] = () => [],
): BlockChange[] {
  const before = new Map(seen.blocks.map(block => [block.id, block]))
  const after = new Map(planned.blocks.map(block => [block.id, block]))
  const differing = planned.blocks.filter(block => !equal.has(block.id))
  const gone = seen.blocks.filter(block => !after.has(block.id))
  if (differing.length + gone.length === 0) return []
  const known = [...new Set([...secretsIn(planned), ...secretsIn(seen), ...secrets()])]
  const bare = (lines: string[]) => lines.map(line => line.replaceAll(secretOpen, '').replaceAll(secretClose, ''))
  const made = (action: BlockChange['action'], old: NativeBlock | undefined, next: NativeBlock | undefined) => {
    const { id, kind, document } = (next ?? old) as NativeBlock
    const lines = diffLines(bare(linesOf(old)), bare(linesOf(next)))
    return { id, action, kind, document, lines: lines.map(({ sign, text }) => ({ sign, text: masked(text, known) })) }
  }
  return [
    ...differing.map(block => made(before.has(block.id) ? 'change' : 'add', before.get(block.id), block)),
    ...gone.map(block => made('remove', block, undefined)),
  ]
}
