// Amounts of data that portals had in MB before they had units.
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'

const statements = readFileSync(`${process.cwd()}/db/migrations/0034_portal_passwords.sql`, 'utf8').split(
  '--> statement-breakpoint',
)

test('what was a number of MB is that with its unit; what is no portal, has none or is damaged stays', () => {
  const database = new Database(':memory:')
  database.exec('CREATE TABLE documents (id text PRIMARY KEY, kind text, data text)')
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?, ?)')
  const rows = [
    ['both', 'portal', '{"name":"Guests","dailyMegabytes":10,"monthlyMegabytes":1048576,"terms":"a \\"b\\""}'],
    ['daily', 'portal', '{"dailyMegabytes":1}'],
    ['none', 'portal', '{"name":"Guests"}'],
    ['damaged', 'portal', '{"dailyMegabytes":'],
    ['other', 'lan', '{"dailyMegabytes":5}'],
  ]
  for (const row of rows) insert.run(...row)
  for (const statement of statements) database.exec(statement)
  const stored = database.prepare('SELECT data FROM documents ORDER BY rowid').pluck().all()
  expect(stored).toEqual([
    '{"name":"Guests","terms":"a \\"b\\"","dailyData":"10 MB","monthlyData":"1048576 MB"}',
    '{"dailyData":"1 MB"}',
    ...rows.slice(2).map(row => row[2]),
  ])
  database.close()
})
