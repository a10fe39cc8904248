// A language that nobody speaks, made of English words: who sees it sees what was never translated, what is too narrow for
// longer words, and, from right to left, what does not turn.
import type { Words } from '@/server/kernel/words'

/** `long`: with accents, two fifths longer; `mirrored`: the same, each word written from right to left. */
export type Pseudo = 'long' | 'mirrored'
/** Each message stands between them. */
export const marks = { begin: '⟦', end: '⟧' } as const

const plain = 'AEIOUYaceinouyzsBDGHKLPRTlrt'
const accented = 'ÀÉÎÖÜÝåçéîñöûÿžšßÐĜĤĶĻÞŔŤļŕţ'
const accents = new Map([...plain].map((one, at) => [one, [...accented][at] ?? one]))
/** Right-to-left override, and its end. */
const [override, end] = ['\u202e', '\u202c']

const longer = (word: string): string => word + '~'.repeat(Math.ceil([...word].length * 0.4))
const accentedWord = (word: string): string => longer([...word].map(one => accents.get(one) ?? one).join(''))
const worded = (text: string, how: Pseudo): string =>
  text.replace(/[\p{L}\p{M}\d-]+/gu, word => {
    const own = accentedWord(word)
    return how === 'mirrored' ? override + own + end : own
  })

/** Where the braces that open at `at` close again. */
function closing(text: string, at: number): number {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    depth += text[i] === '{' ? 1 : text[i] === '}' ? -1 : 0
    if (depth === 0) return i
  }
  return text.length - 1
}

/** `{name}` stays; of `{count, plural, one {# day} other {# days}}` what is between the inner braces is text. */
function argument(inside: string, how: Pseudo): string {
  if (!/^\s*\w+\s*,\s*(plural|select|selectordinal)\s*,/.test(inside)) return `{${inside}}`
  let made = ''
  for (let i = 0; i < inside.length; i++) {
    if (inside[i] !== '{') {
      made += inside[i]
      continue
    }
    const to = closing(inside, i)
    made += `{${textOf(inside.slice(i + 1, to), how)}}`
    i = to
  }
  return `{${made}}`
}

/** Text outside of arguments, of tags (`<b>`) and of what apostrophes quote. */
function textOf(message: string, how: Pseudo): string {
  const part = /'[{}<>][^']*'|<\/?\w+>|\{/.exec(message)
  if (!part) return worded(message, how)
  const { index } = part
  const before = worded(message.slice(0, index), how)
  if (part[0] !== '{') {
    const after = index + part[0].length
    return before + part[0] + textOf(message.slice(after), how)
  }
  const to = closing(message, index)
  return before + argument(message.slice(index + 1, to), how) + textOf(message.slice(to + 1), how)
}

/** One ICU message. */
export const pseudoText = (message: string, how: Pseudo): string => marks.begin + textOf(message, how) + marks.end

/** The words of an area (`locales/en/<area>.json`) in it. */
export const pseudoWords = <W extends Words>(words: W, how: Pseudo): W =>
  Object.fromEntries(
    Object.entries(words).map(([key, one]) => [
      key,
      typeof one === 'string' ? pseudoText(one, how) : pseudoWords(one, how),
    ]),
  ) as W
