import { newSyncCache, type SyncStatus } from '@/server/devices/change/plan/sync-cache'

const said = (modified: boolean): SyncStatus => ({
  modified,
  impact: { ssids: [], clients: 0, cuts: false },
  leftOut: [],
  unfit: [],
  carries: [],
})
const always = (modified: boolean) => async () => said(modified)

test('a standing that was read for before its device changed is told, and not kept', async () => {
  const standings = newSyncCache()
  const turn = standings.turn()
  standings.changed(7)
  expect(await standings.of(7, turn, always(false))).toEqual(said(false))
  expect(await standings.of(7, standings.turn(), always(true))).toEqual(said(true))
  expect(await standings.of(8, turn, always(false))).toEqual(said(false))
  expect(await standings.of(8, standings.turn(), always(true))).toEqual(said(false))
  standings.changed()
  expect(await standings.of(7, turn, always(false))).toEqual(said(false))
  expect(await standings.of(8, standings.turn(), always(true))).toEqual(said(true))
})

test('who asks for a device at the same time shares one answer; one that fails is asked for again', async () => {
  const standings = newSyncCache()
  let asked = 0
  const judge = async () => {
    asked += 1
    if (asked === 1) throw new Error('the worker ended')
    return said(true)
  }
  const both = [1, 2].map(() => standings.of(7, standings.turn(), judge))
  expect((await Promise.allSettled(both)).map(one => one.status)).toEqual(['rejected', 'rejected'])
  expect(asked).toBe(1)
  expect(await standings.of(7, standings.turn(), judge)).toEqual(said(true))
})
