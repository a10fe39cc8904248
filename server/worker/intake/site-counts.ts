import type Database from 'better-sqlite3'
import type { HeldFiles } from './held-files'
import { endsOf, numberAt, timeOf } from './segment'
import { isForAddress, siteOf } from './site-name'

// How often clients looked up names of a site: counted as records are written, beside them, so that it goes with them and no
// question has to read millions of them. A file has one day at most, and counts by the hour and in all.

const hourMs = 3_600_000
/** In place of an hour: of the whole file. */
const whole = -1

export const siteSchema = `
CREATE TABLE IF NOT EXISTS site (hour INTEGER NOT NULL, name TEXT NOT NULL, lookups INTEGER NOT NULL, PRIMARY KEY (hour, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS site_most ON site (hour, lookups DESC);`

type Counted = readonly (readonly [id: number, row: { name?: string; type?: string }])[]

/** How often each site was asked for, by the hour and in all. */
function countsOf(rows: Counted): { hour: number; name: string; lookups: number }[] {
  const found = new Map<string, { hour: number; name: string; lookups: number }>()
  for (const [id, { name = '', type }] of rows) {
    const site = isForAddress(type) ? siteOf(name) : undefined
    if (site === undefined) continue
    for (const hour of [whole, Math.floor(timeOf(id) / hourMs)]) {
      const key = `${hour} ${site}`
      const one = found.get(key) ?? { hour, name: site, lookups: 0 }
      one.lookups += 1
      found.set(key, one)
    }
  }
  return [...found.values()]
}

/** What counts the sites of rows as they are put into a file. */
export function siteCounter(file: Database.Database): (rows: Counted) => void {
  const add = file.prepare(
    'INSERT INTO site (hour, name, lookups) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET lookups = lookups + excluded.lookups',
  )
  return rows => {
    for (const { hour, name, lookups } of countsOf(rows)) add.run(hour, name, lookups)
  }
}

/** `from`: unix ms; the hour that it is in counts whole. */
export type SiteQuery = { network: number; from: number; most: number }
export type SiteCount = { name: string; lookups: number }

/** Of each hour, and of each file, so many sites are read: made-up names by the million make no question slow. */
const mostRead = 1000

/** The hours of a file that are counted: all of it, or those from then on. */
function hoursOf(file: Database.Database, from: number): number[] {
  const { low, high } = endsOf(file, 'record')
  const begin = Math.floor(from / hourMs)
  if (low === null || high === null || high < numberAt(begin * hourMs)) return []
  if (low >= numberAt(begin * hourMs)) return [whole]
  const end = Math.floor(timeOf(high) / hourMs)
  return Array.from({ length: end - begin + 1 }, (_, at) => begin + at)
}

/** Sites whose names were looked up most often by what these files of records have, most first; of the same count by name. */
export function topSites(files: HeldFiles, { from, most }: SiteQuery): SiteCount[] {
  const counts = new Map<string, number>()
  for (const segment of files.present())
    files.read(segment, file => {
      const some = file.prepare('SELECT name, lookups FROM site WHERE hour = ? ORDER BY lookups DESC LIMIT ?')
      for (const hour of hoursOf(file, from))
        for (const { name, lookups } of some.all(hour, mostRead) as SiteCount[])
          counts.set(name, (counts.get(name) ?? 0) + lookups)
    })
  return [...counts]
    .map(([name, lookups]) => ({ name, lookups }))
    .sort((a, b) => b.lookups - a.lookups || (a.name < b.name ? -1 : 1))
    .slice(0, most)
}
