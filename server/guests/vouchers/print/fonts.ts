import { readFileSync } from 'node:fs'
import { create } from 'fontkit'
import subsetFont from 'subset-font'

// Fonts of the packages, a file for each script and each hundred of ideographs. What is printed takes the files that its
// characters are in, cut down to them: fontkit, which draws, reads no WOFF2 with composed letters, and a PDF stays small.

/** In the order they are looked for: what several have (digits, punctuation) the first one draws. */
const families = [
  'noto-sans',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-sans-tc',
] as const

type Slice = { file: string; ranges: readonly (readonly [number, number])[] }

const rangeOf = (text: string): [number, number] => {
  const [from = '', to = from] = text.replace(/^U\+/i, '').split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

/** `[4]` in the list of characters is `4` in a file's name. */
function slicesOf(folder: string, family: string): Slice[] {
  const about = JSON.parse(readFileSync(`${folder}/${family}/unicode.json`, 'utf8')) as Record<string, string>
  return Object.entries(about).map(([name, text]) => ({
    file: `${folder}/${family}/files/${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`,
    ranges: text.split(',').map(rangeOf),
  }))
}

const has = ({ ranges }: Slice, code: number) => ranges.some(([from, to]) => code >= from && code <= to)

export type Weight = 400 | 600
const weights: readonly Weight[] = [400, 600]
export type Font = { name: string; bytes: Buffer }
export type Fonts = {
  fonts: Font[]
  /** The font of a character; a mark stays with what is before it where that has it. */
  fontOf: (weight: Weight) => (char: string, before: string | undefined) => string
  /** Characters that no font has: they are printed as empty boxes. */
  missing: string[]
}

const nameOf = (file: string, weight: Weight) => `${file} ${weight}`

type Cut = { slice: Slice; fonts: Font[]; chars: ReadonlySet<string> }

/** All that is printed goes into each cut, not only what is of its file: shapes join and combine across. */
async function cut(slice: Slice, chars: readonly string[]): Promise<Cut> {
  const text = chars.join('')
  const fonts = await Promise.all(
    weights.map(async (weight): Promise<Font> => {
      const options = { targetFormat: 'sfnt', variationAxes: { wght: weight } } as const
      return { name: nameOf(slice.file, weight), bytes: await subsetFont(readFileSync(slice.file), text, options) }
    }),
  )
  // A package's list of characters names some that its files do not have.
  const held = new Set(characterSetOf(fonts[0]?.bytes))
  return { slice, fonts, chars: new Set(chars.filter(char => held.has(char.codePointAt(0) ?? 0))) }
}

function characterSetOf(bytes: Buffer | undefined): number[] {
  try {
    return bytes ? create(bytes).characterSet : []
  } catch {
    // Nothing of what was asked for is in the file.
    return []
  }
}

/** The fonts for all these texts, in both weights. `folder`: node_modules/@fontsource-variable. */
export async function fontsFor(folder: string, texts: Iterable<string>): Promise<Fonts> {
  const slices = families.flatMap(family => slicesOf(folder, family))
  const chars = [...new Set(['?', '…', ...[...texts].flatMap(text => [...text])])]
  const wanted = slices.filter(slice => chars.some(char => has(slice, char.codePointAt(0) ?? 0)))
  const cuts = await Promise.all(wanted.map(slice => cut(slice, chars)))
  const cutOf = new Map(chars.map(char => [char, cuts.find(one => one.chars.has(char))]))
  const used = new Set([...cutOf.values()].filter(one => one !== undefined))
  const first = cutOf.get('?')?.slice.file ?? ''
  const fontOf = (weight: Weight) => (char: string, before: string | undefined) => {
    const same = cuts.find(one => nameOf(one.slice.file, weight) === before)
    return nameOf((same?.chars.has(char) ? same : cutOf.get(char))?.slice.file ?? first, weight)
  }
  const missing = chars.filter(char => cutOf.get(char) === undefined)
  return { fonts: [...used].flatMap(one => one.fonts), fontOf, missing }
}
