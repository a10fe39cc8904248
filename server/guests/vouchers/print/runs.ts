import bidiFactory from 'bidi-js'

const bidi = bidiFactory()

/** Part of a line in one font and one direction; `level` odd: right to left. */
export type Run = { font: string; level: number; text: string }
/** A font and whether it has a character. */
export type FontChoice = (char: string, before: string | undefined) => string

/** A text that stands in another, and whose numbers do not take on what is around them (UAX 9, FSI and PDI). */
export const isolated = (text: string): string => `\u2068${text}\u2069`
/** A line that is read from that side, whatever stands first in it. */
export const directed = (text: string, rtl: boolean): string => (rtl ? '\u200f' : '\u200e') + text
/** Marks of direction, which nothing draws. */
const unseen = /[\u200e\u200f\u2066-\u2069]/
const allUnseen = new RegExp(unseen, 'g')

/** Scripts whose shapes stand in the order of their letters, one for each. */
const asWritten =
  /^[\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u
const fromTheRight = /[\u200f\u202b\u202e\u2067]/
/** A text as it is read, where what is drawn of it does not tell: cut off, turned, or composed; undefined elsewhere. */
export const readAs = (text: string, drawn: string): string | undefined =>
  drawn === text && asWritten.test(text) && !fromTheRight.test(text) ? undefined : text.replaceAll(allUnseen, '')

const neutral = /[\p{Script=Common}\p{Script=Inherited}]/u
const mark = /\p{M}/u

/** In the order in which they stand beside each other (the reversing of UAX 9). */
function inVisualOrder(list: Run[]): Run[] {
  const levels = list.map(run => run.level)
  const ordered = [...list]
  for (let level = Math.max(...levels); level >= Math.min(...levels.map(one => one | 1)); level--)
    for (let at = 0; at < ordered.length; at++) {
      if ((ordered[at]?.level ?? 0) < level) continue
      let end = at
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end++
      ordered.splice(at, end - at, ...ordered.slice(at, end).reverse())
      at = end
    }
  return ordered
}

/**
 * A line cut where font or direction change, from left to right as it is drawn. The fonts' engine turns runs of right-to-left
 * scripts itself; what is neutral in them (digits' brackets, dots) is drawn by the first font, so it is turned and mirrored here.
 */
export function runsOf(text: string, fontOf: FontChoice): Run[] {
  const levels = bidi.getEmbeddingLevels(text)
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels)
  const list: (Run & { neutral: boolean })[] = []
  for (let at = 0; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
    if (unseen.test(char)) {
      at += 1
      continue
    }
    const level = levels.levels[at] ?? 0
    const last = list.at(-1)
    const isNeutral = neutral.test(char) && !mark.test(char)
    const font = fontOf(char, mark.test(char) ? last?.font : undefined)
    const drawn = isNeutral ? (mirrored.get(at) ?? char) : char
    if (last?.font === font && last.level === level && last.neutral === isNeutral) last.text += drawn
    else list.push({ font, level, text: drawn, neutral: isNeutral })
    at += char.length
  }
  const turned = list.map(({ neutral: turn, ...run }) =>
    turn && run.level % 2 ? { ...run, text: [...run.text].reverse().join('') } : run,
  )
  return turned.length ? inVisualOrder(turned) : []
}
