import type { Sqlite } from '@/db/client'

/** The newest entry of the changelog as it is written down elsewhere: its number and its HMAC. */
export const headPattern = /^\d{1,15}:[0-9a-f]{64}$/

export type HeadRow = { id: number; mac: string }

export const headText = ({ id, mac }: HeadRow): string => `${id}:${mac}`

export const newestRow = (sqlite: Sqlite): HeadRow | undefined =>
  sqlite.prepare('SELECT id, mac FROM changelog ORDER BY id DESC LIMIT 1').get() as HeadRow | undefined

/** '' while there is no entry. */
export function headOf(sqlite: Sqlite): string {
  const last = newestRow(sqlite)
  return last ? headText(last) : ''
}
