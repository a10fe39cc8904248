// Lists that are bounded: the oldest rows go, and only those that are meant.
import { asc, eq } from 'drizzle-orm'
import { alerts, deployments, organizations, pushedDocuments } from '@/db/schema'
import { limits } from '@/model/limits'
import { trimDeployments } from '@/server/devices/change/plan/deployments'
import { keepNewest } from '@/server/kernel/keep-newest'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { type Manager, startTestManager } from '../_manager'

let one: Manager
beforeEach(async () => {
  one = await startTestManager()
  one.runtime.sqlite.pragma('foreign_keys = OFF')
})
afterEach(() => one.stop())

const kept = 10_000
const addAlerts = (count: number, organization: number) =>
  one.runtime.db.transaction(tx => {
    const row = { organization, level: 15, type: 'deviceOnline', at: 1 }
    for (let n = 0; n < count; n++) tx.insert(alerts).values(row).run()
  })
const idsOf = (organization: number) =>
  one.runtime.db
    .select({ id: alerts.id })
    .from(alerts)
    .where(eq(alerts.organization, organization))
    .orderBy(asc(alerts.id))
    .all()
    .map(row => row.id)

test('of ten thousand alerts the oldest goes for one more, and none of another organization', () => {
  one.runtime.db.insert(organizations).values({ id: 1, name: 'Harbour House', createdAt: 1 }).run()
  addAlerts(3, 2)
  addAlerts(kept, 1)
  addAlerts(2, 2)
  const [first, second] = idsOf(1)
  const others = idsOf(2)
  const newest = raiseAlert(one.runtime, { type: 'noticeTest', organization: 1 })
  expect(idsOf(1)).not.toContain(first)
  expect(idsOf(1)[0]).toBe(second)
  expect(idsOf(1).at(-1)).toBe(newest)
  expect(idsOf(1)).toHaveLength(kept)
  expect(idsOf(2)).toEqual(others)
})

test('what was deleted in between is not counted', () => {
  addAlerts(10, 1)
  one.runtime.db.delete(alerts).where(eq(alerts.id, 8)).run()
  expect(keepNewest(one.runtime.db, alerts, eq(alerts.organization, 1), 4)).toBe(5)
  expect(idsOf(1)).toEqual([6, 7, 9, 10])
  expect(keepNewest(one.runtime.db, alerts, eq(alerts.organization, 1), 4)).toBe(0)
  expect(keepNewest(one.runtime.db, alerts, undefined, 1)).toBe(3)
})

type State = (typeof deployments.$inferSelect)['state']
/** Inserted newest first: their order in the file says nothing of their age. */
function addPushes(device: number, states: readonly State[]): void {
  const own = { organization: 1, device, by: 'ana' }
  for (const [at, state] of [...states.entries()].toReversed())
    one.runtime.db
      .insert(deployments)
      .values({ ...own, state, id: `${device}-${at}`, createdAt: at, endedAt: at })
      .run()
}
const pushesOf = (device: number) =>
  one.runtime.db
    .select({ id: deployments.id })
    .from(deployments)
    .where(eq(deployments.device, device))
    .orderBy(asc(deployments.createdAt))
    .all()
    .map(row => row.id)

test('of a device’s pushes the newest stay, the last one it took, and one in hand, however old', () => {
  const most = limits.configurationsPerDevice
  const failed = Array<State>(most + 20).fill('failed')
  addPushes(1, ['failed', 'applied', 'confirming', 'applied', ...failed])
  addPushes(2, ['failed', 'failed'])
  trimDeployments(one.runtime.db, 1)
  const newest = Array.from({ length: most }, (_, n) => `1-${24 + n}`)
  expect(pushesOf(1)).toEqual(['1-2', '1-3', ...newest])
  expect(pushesOf(2)).toEqual(['2-0', '2-1'])
  addPushes(3, failed)
  trimDeployments(one.runtime.db, 3)
  expect(pushesOf(3)).toHaveLength(most)
})

test('copies of a document go by their revision, in the transaction that calls', () => {
  const { db } = one.runtime
  const copies = [9, 3, 7, 1, 5].map(revision => ({ document: 'a', revision, network: 1, row: '{}', assign: 'null' }))
  db.insert(pushedDocuments)
    .values([...copies, { ...copies[0], document: 'b', revision: 2 } as (typeof copies)[0]])
    .run()
  const left = () =>
    db
      .select({ at: pushedDocuments.revision })
      .from(pushedDocuments)
      .all()
      .map(row => row.at)
  const trim = () =>
    keepNewest(db, pushedDocuments, eq(pushedDocuments.document, 'a'), 2, { by: [pushedDocuments.revision] })
  const undone = () =>
    db.transaction(() => {
      expect(trim()).toBe(3)
      throw new Error('taken back')
    })
  expect(undone).toThrow('taken back')
  expect(left()).toHaveLength(6)
  trim()
  expect(left().toSorted()).toEqual([2, 7, 9])
})
