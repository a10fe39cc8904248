import { countFailure, forgetFailures, lockState, unlock } from '@/server/people/accounts/lock'
import { type Manager, startTestManager } from '../_manager'

let manager: Manager
beforeEach(async () => {
  manager = await startTestManager()
})
afterEach(() => manager.stop())

const minute = 60_000
const fails = (times: number, address: string, now: number, account = 'marta7') => {
  for (let i = 0; i < times; i++) countFailure(manager.runtime.db, account, address, false, now)
}
const state = (address: string, now: number, known = false) =>
  lockState(manager.runtime.db, 'marta7', address, known, now)

test('the fourth wrong password locks this address for 30 minutes, and no other', () => {
  fails(3, '10.0.0.5', 0)
  expect(state('10.0.0.5', 0)).toMatchObject({ lockStatus: 1, remainCount: 1 })
  fails(1, '10.0.0.5', minute)
  expect(state('10.0.0.5', minute)).toEqual({ lockStatus: 2, lockTime: 30, lockSeconds: 1800 })
  expect(state('10.0.0.6', minute)).toMatchObject({ lockStatus: 0 })
  expect(state('10.0.0.5', 31 * minute + 1)).toMatchObject({ lockStatus: 0 })
})

test('above 30 failures in 30 minutes the account is locked from everywhere, except for a browser that signed in before', () => {
  for (let i = 0; i < 15; i++) fails(2, `10.0.1.${i}`, i * minute)
  expect(state('10.9.9.9', 15 * minute)).toMatchObject({ lockStatus: 0 })
  fails(1, '10.0.2.1', 15 * minute)
  expect(state('10.9.9.9', 15 * minute)).toEqual({ lockStatus: 2, lockTime: 30, lockSeconds: 1800 })
  expect(state('10.9.9.9', 15 * minute, true)).toMatchObject({ lockStatus: 0 })
})

test('a /64 counts as one address, an IPv4 address in its IPv6 form as itself', () => {
  for (let n = 1; n <= 4; n++) fails(1, `2001:db8:1:2::${n}`, 0)
  expect(state('2001:db8:1:2:3:4:5:6', 0)).toMatchObject({ lockStatus: 2 })
  expect(state('2001:db8:1:3::1', 0)).toMatchObject({ lockStatus: 0 })
  fails(4, '::ffff:10.0.0.5', 0)
  expect(state('10.0.0.5', 0)).toMatchObject({ lockStatus: 2 })
})

test('strangers beside a browser that signed in before do not lock it out; its own tries do, and it alone', () => {
  fails(4, '10.0.0.5', 0)
  expect(state('10.0.0.5', 0, true)).toEqual({ lockStatus: 0, failures: 0 })
  for (let n = 0; n < 4; n++) countFailure(manager.runtime.db, 'marta7', '10.0.0.6', true, 0)
  expect(state('10.0.0.6', 0, true)).toMatchObject({ lockStatus: 2 })
  expect(state('10.0.0.6', 0)).toMatchObject({ lockStatus: 0 })
})

test('further failures do not prolong an account-wide lock', () => {
  for (let i = 0; i < 31; i++) fails(1, `10.0.1.${i}`, 0)
  for (let i = 0; i < 40; i++) fails(1, `10.0.3.${i}`, 20 * minute)
  expect(state('10.9.9.9', 20 * minute)).toEqual({ lockStatus: 2, lockTime: 10, lockSeconds: 600 })
})

test('a right password forgets the address, unlock opens for all', () => {
  fails(2, '10.0.0.5', 0)
  forgetFailures(manager.runtime.db, 'marta7', '10.0.0.5')
  expect(state('10.0.0.5', 0)).toEqual({ lockStatus: 0, failures: 0 })
  for (let i = 0; i < 40; i++) fails(1, `10.0.1.${i}`, 0)
  unlock(manager.runtime.db, 'marta7')
  expect(state('10.9.9.9', 0)).toEqual({ lockStatus: 0, failures: 0 })
})
