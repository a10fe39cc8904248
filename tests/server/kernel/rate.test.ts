// How often something may be asked for: counted by key in a window that slides, or by a bucket that fills.
import type { BaseContext } from '@/server/kernel/call'
import { countOne, isSpent, limitRate, withinRate } from '@/server/kernel/rate'
import { type Bucket, takeFrom } from '@/server/kernel/token-bucket'
import { type Manager, startTestManager } from '../_manager'

let one: Manager
beforeEach(async () => {
  one = await startTestManager()
})
afterEach(() => one.stop())

const minute = 60_000
const ask = (key: string, now: number, most = 3) => withinRate(one.runtime, key, most, minute, now)

test('the window slides, and what is refused does not count', () => {
  expect([0, 10_000, 50_000].map(now => ask('letters', now))).toEqual([true, true, true])
  expect([50_001, 55_000, 59_999].map(now => ask('letters', now))).toEqual([false, false, false])
  expect([60_000, 60_001, 70_000].map(now => ask('letters', now))).toEqual([true, false, true])
  expect(ask('parcels', 60_001)).toBe(true)
})

test('asking whether it is spent counts nothing; only what is counted does', () => {
  const spent = (now: number) => isSpent(one.runtime, 'wrong codes', 2, minute, now)
  for (let n = 0; n < 10; n++) expect(spent(n)).toBe(false)
  countOne(one.runtime, 'wrong codes', minute, 10)
  expect(spent(11)).toBe(false)
  countOne(one.runtime, 'wrong codes', minute, 12)
  expect([spent(13), spent(minute + 9), spent(minute + 10)]).toEqual([true, true, false])
})

test('twenty thousand keys are kept; the one that was counted longest ago is forgotten first', () => {
  ask('busy', 0, 2)
  ask('old', 0, 1)
  for (let n = 0; n < 19_998; n++) ask(`key ${n}`, 1, 1)
  expect([ask('old', 2, 1), ask('busy', 2, 2)]).toEqual([false, true])
  ask('one more', 3, 1)
  expect([ask('busy', 4, 2), ask('key 1', 4, 1)]).toEqual([false, false])
  expect(ask('old', 4, 1)).toBe(true)
})

test('an address counts for each thing by itself, one of IPv6 with its /64', () => {
  const refused = (address: string, what: string) => {
    try {
      limitRate({ runtime: one.runtime, address, now: 0 } as BaseContext, what, 1, 10)
      return undefined
    } catch (error) {
      return (error as { data: unknown }).data
    }
  }
  expect(refused('10.0.0.5', 'letters')).toBeUndefined()
  expect(refused('10.0.0.5', 'letters')).toEqual({ minutes: 10 })
  expect(refused('10.0.0.6', 'letters')).toBeUndefined()
  expect(refused('10.0.0.5', 'parcels')).toBeUndefined()
  expect(refused('2001:db8::1', 'letters')).toBeUndefined()
  expect(refused('2001:db8::ffff:1', 'letters')).toEqual({ minutes: 10 })
  expect(refused('2001:db8:0:1::1', 'letters')).toBeUndefined()
})

test('wrong setup codes are counted by address; ten refuse the right one, too, for ten minutes', async () => {
  await one.stop()
  one = await startTestManager({ setupCode: 'ABCD-EFGH' })
  const enter = (address: string, code: string) => one.browser(address).post('wizard/unlock', { code })
  expect((await enter('10.0.0.5', 'ABCD-EFGH')).retCode).toBe(0)
  for (let n = 0; n < 10; n++) expect((await enter('10.0.0.5', 'WRONG')).data).toHaveProperty('fields.code')
  expect((await enter('10.0.0.5', 'ABCD-EFGH')).data).toEqual({ minutes: 10 })
  expect((await enter('10.0.0.6', 'ABCD-EFGH')).retCode).toBe(0)
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * minute)
  expect((await enter('10.0.0.5', 'ABCD-EFGH')).retCode).toBe(0)
  clock.mockRestore()
})

test('a bucket of a key fills as time goes on; those that are full again are forgotten', () => {
  const buckets = new Map<string, Bucket>()
  const size = { burst: 4, perSecond: 2 }
  const take = (key: string, now: number) => takeFrom(buckets, key, now, size)
  expect(Array.from({ length: 5 }, () => take('a', 0))).toEqual([0, 0, 0, 0, 1])
  expect([take('b', 0), take('a', 499), take('a', 500), take('a', 501)]).toEqual([0, 1, 0, 1])
  expect([...buckets.keys()]).toEqual(['b', 'a'])
  take('c', 2000)
  expect([...buckets.keys()]).toEqual(['a', 'c'])
  expect(take('a', 2500)).toBe(0)
})
