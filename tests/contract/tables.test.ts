import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'
import { allBelongings } from '@/server/manager/belongings/all'
import { type Room, roomOf, rooms } from './_rooms'
import { filesUnder, readText } from './_tree'

// A table is written by the room that says, in its `belongings.ts`, whose the table's rows are.

const tables = Object.entries(schema).flatMap(([name, one]) => (is(one, SQLiteTable) ? [[name, one] as const] : []))
const byName = new Map(tables)
const declaring = filesUnder('server', /^belongings\.ts$/)

async function ownersOf(): Promise<ReadonlyMap<SQLiteTable, Room>> {
  const owners = new Map<SQLiteTable, Room>()
  for (const file of declaring) {
    const said = Object.values((await import(`@/${file}`)) as Record<string, unknown>).find(Array.isArray)
    for (const { table } of (said ?? []) as Belonging[]) {
      expect([getTableName(table), owners.get(table)]).toEqual([getTableName(table), undefined])
      owners.set(table, roomOf(file) as Room)
    }
  }
  return owners
}

test('each table has one owner, and the list of all has what the owners say', async () => {
  const owners = await ownersOf()
  expect(tables.filter(([, table]) => !owners.has(table)).map(([name]) => name)).toEqual([])
  expect(owners.size).toBe(tables.length)
  expect(new Set(allBelongings.map(one => one.table))).toEqual(new Set(owners.keys()))
  expect(allBelongings).toHaveLength(tables.length)
})

/** What a foreign key does, in the words of a declaration. */
const byKey = { cascade: 'cascades', 'set null': 'empties', 'no action': 'before' } as Record<string, string>

test.each(tables)('%s says what becomes of each network, organization and device that it names', (_, table) => {
  const one = allBelongings.find(belonging => belonging.table === table)
  const { foreignKeys } = getTableConfig(table)
  const keys = foreignKeys.map(key => ({ ...key.reference(), onDelete: byKey[key.onDelete ?? 'no action'] }))
  for (const [what, of] of [
    ['network', schema.networks],
    ['organization', schema.organizations],
    ['device', schema.devices],
  ] as const) {
    const own = keys.filter(key => key.foreignTable === of)
    if (own.length || Object.hasOwn(getTableColumns(table), what)) expect(Object.keys(one ?? {})).toContain(what)
    const deleted = one?.[what]?.deleted
    if (own.length) expect(own.map(key => key.onDelete)).toContain(deleted === 'deletes' ? 'before' : deleted)
  }
})

/** Rooms that write what is another's, with the reason. This list may only get shorter. */
const strangers: Record<string, Partial<Record<Room, string>>> = {
  accounts: {
    'people/users': 'people are added, changed, disabled and deleted there',
    'people/federation': 'who comes by SAML or a directory has an account made',
    'people/sign-in': 'what people change of themselves: password, email, language, second factor',
    'networks/organizations': 'a company is opened with its super administrator',
    'manager/command': 'reset-password on the machine itself',
    'manager/guide': 'at which step of the guide somebody is',
  },
  apiKeys: { 'people/accounts': 'keys end with a password that was stolen; the room below' },
  assignments: { 'networks/groups': 'a group that is deleted; settings stand above groups' },
  deviceEvents: { 'networks/groups': 'a device that is moved to a group notes it; devices stand above groups' },
  devices: {
    'networks/groups': 'devices are moved to a group',
    'devices/link': 'what polls tell of a device',
    'devices/change': 'a device whose address is pushed is reached at the new one',
    'devices/inventory': 'name, address and login are edited there',
  },
  documents: {
    kernel: 'writes rows for whichever room keeps settings',
    'networks/groups': 'a group that is deleted; settings stand above groups',
  },
  networks: { 'networks/sharing': 'name and place at the new owner are decided at the hand-over' },
  organizations: { 'people/accounts': 'the first one is made by the setup, with its owner' },
  webhooks: { 'people/accounts': 'webhooks end with a password that was stolen' },
}

/** Tables that a text writes, by the names of the schema. */
function written(text: string): string[] {
  const named = [...text.matchAll(/\.(?:insert|update|delete)\((?:schema\.)?(\w+)\)|\bkeepNewest\([\w.]+, (\w+),/g)]
  const raw = [...text.matchAll(/\b(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM)\s+["`]?(\w+)/g)].map(
    ([, name]) => name,
  )
  return tables
    .filter(([name, table]) => named.some(([, a, b]) => a === name || b === name) || raw.includes(getTableName(table)))
    .map(([name]) => name)
}

test('who writes a table is found, whatever the way', () => {
  const text =
    'db.insert(alerts); keepNewest(db, jobs, undefined, 5); prepare(`DELETE FROM api_keys`); tx\n.update(tags)'
  expect(written(text).sort()).toEqual(['alerts', 'apiKeys', 'jobs', 'tags'])
})

test('a table is written by its owner alone', async () => {
  const owners = await ownersOf()
  const found: Record<string, Room[]> = {}
  for (const file of filesUnder('server', /\.ts$/))
    for (const name of written(readText(file))) {
      const room = roomOf(file) as Room
      if (room !== owners.get(byName.get(name) as SQLiteTable))
        found[name] = [...new Set([...(found[name] ?? []), room])]
    }
  const listed = Object.entries(strangers).map(([name, by]) => [name, rooms.filter(room => by[room])] as const)
  const sorted = Object.entries(found).map(([name, by]) => [name, rooms.filter(room => by.includes(room))] as const)
  expect(Object.fromEntries(sorted)).toEqual(Object.fromEntries(listed))
})
