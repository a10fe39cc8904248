import type Database from 'better-sqlite3'
import { addressOf } from './addresses'
import { controls } from './syslog-line'

/** Searched beyond: words of one search. */
export const mostWords = 32

/**
 * As FTS5 takes it: each word quoted; at a character of value 0 it would stop reading. undefined: nothing in it can be found.
 * `addresses`: the index has whole ones as words.
 */
export function matchOf(text: string, { addresses = true } = {}): string | undefined {
  const parts = text.replace(controls, ' ').match(/"[^"]*"\*?|\S+/g) ?? []
  const words = parts.slice(0, mostWords).flatMap(part => {
    const address = addresses ? addressOf(part) : undefined
    if (address !== undefined) return [`"${address}"`]
    const begins = part.endsWith('*')
    const word = part.replaceAll('"', ' ').replace(/\*+$/, '').trim()
    return /[\p{L}\p{N}\p{Co}]/u.test(word) ? [`"${word}"${begins ? '*' : ''}`] : []
  })
  return words.length ? words.join(' ') : undefined
}

export type Index = 'log_text' | 'record_text'

/** Files of before have none. */
export const hasAddresses = (file: Database.Database, index: Index): boolean =>
  file.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'addresses'").get(index) !== undefined

export const within = (key: string): string => `${key} >= CAST(:low AS INTEGER) AND ${key} < CAST(:high AS INTEGER)`

const few = 200

/**
 * Numbers that an index has between two, oldest first, where they are few; else undefined. From the oldest on it is read
 * half again as fast as from the newest, and words that are frequent, of which few lines have all, take the longest.
 */
export function fewBy(file: Database.Database, index: Index, match: string) {
  const statement = file
    .prepare(
      `SELECT rowid FROM ${index} WHERE ${index} MATCH :match AND ${within('rowid')} ORDER BY rowid LIMIT ${few + 1}`,
    )
    .pluck()
  return (low: number, high: number): number[] | undefined => {
    const found = statement.all({ match, low, high }) as number[]
    return found.length > few ? undefined : found
  }
}
