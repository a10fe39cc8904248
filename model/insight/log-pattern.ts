import { limits } from '../limits'

// What log rules look for in a line: text in which `*` stands for anything. No expressions: what looks for one never goes
// back, so that no line and no pattern can make it slow.

/** Capitals, since these do not hang on what stands beside a letter. */
const folded = (text: string): string => text.toUpperCase()

/** A line as patterns see it: its program, or its trap's name, before its text. */
export const lineText = (tag: string, text: string): string => folded(tag === '' ? text : `${tag}: ${text}`)

/** What stands between the asterisks of a pattern, ready for `holds`. */
export const partsOf = (pattern: string): string[] =>
  folded(pattern)
    .split('*')
    .filter(part => part !== '')

/** Whether the parts stand in a line, one behind the other; `line` is as `lineText` gives it. */
export function holds(line: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = line.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}

/** Fewer letters, digits and signs would be in nearly every line. */
const leastSigns = 3
export const isPattern = (pattern: string): boolean => pattern.replace(/[*\s]/g, '').length >= leastSigns

const sign = '[ -/:-@[-`{-~]'
const between = new RegExp(`(?<=${sign})[A-Za-z0-9]+(?=${sign})`, 'g')

/**
 * Words that each line with the pattern has as a whole, as the index of lines counts words: those with signs that end a word
 * on both sides of them. ASCII alone, about which there is no doubt.
 */
export const wholeWords = (pattern: string): string[] => [
  ...new Set(pattern.split('*').flatMap(part => part.match(between) ?? [])),
]

const program = /^[^[\]\s]+/

/**
 * A pattern of lines like this one: words with digits (addresses, numbers, ports) differ from line to line and become
 * asterisks. '' where nothing is left to look for.
 */
export function patternOfLine(tag: string, text: string): string {
  const words = text
    .split(/\s+/)
    .filter(word => word !== '')
    .map(word => (/\d/.test(word) ? '*' : word))
  const head = program.exec(tag)?.[0] ?? ''
  let pattern = head
  for (const word of words.filter((one, at) => one !== '*' || words[at - 1] !== '*')) {
    const longer = `${pattern}${pattern === head ? (head === '' ? '' : '*') : ' '}${word}`
    if (longer.length > limits.textCharacters) break
    pattern = longer
  }
  const trimmed = pattern.replace(/^[*\s]+/, '').replace(/[*\s]+$/, '')
  return isPattern(trimmed) ? trimmed : ''
}
