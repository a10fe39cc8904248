import { accounts, accountTokens } from '@/db/schema'
import { limits } from '@/model/limits'
import { findToken, issueCode, issueToken, takeCode, takeToken } from '@/server/people/accounts/tokens'
import { finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let account: number
const now = Date.UTC(2026, 10, 22)
beforeAll(async () => {
  one = await startTestManager()
  await finishedWizard(one)
  account = one.runtime.db.select().from(accounts).get()?.id ?? 0
})
afterAll(() => one.stop())
const db = () => one.runtime.db
const link = (seconds = 60, data = {}) => issueToken(db(), { account, purpose: 'resetPassword', seconds, data, now })
const take = (token: string, at = now) => takeToken(db(), { token, purpose: 'resetPassword', now: at })
const code = () => issueCode(one.runtime, db(), { account, purpose: 'email', seconds: 600, data: { to: 'x' }, now })
const type = (typed: string, at = now) =>
  takeCode(one.runtime, db(), { account, purpose: 'email', code: typed, now: at })
const other = (right: string) => (right === '000000' ? '000001' : '000000')

test('a token is good once, for its purpose, until its time is over', () => {
  const token = link(60, { why: 'asked' })
  expect(JSON.stringify(db().select().from(accountTokens).all())).not.toContain(token)
  expect(takeToken(db(), { token, purpose: 'activation', now })).toBeUndefined()
  expect(findToken(db(), { token, purpose: 'resetPassword', now })).toEqual({ account, data: { why: 'asked' } })
  expect(take(`${token}x`)).toBeUndefined()
  expect(take(token, now + 59_999)).toEqual({ account, data: { why: 'asked' } })
  expect(take(token)).toBeUndefined()
  expect(take(link(), now + 60_000)).toBeUndefined()
})

test('a new token makes the one before it worthless', () => {
  const [first, second] = [link(), link()]
  expect(take(first)).toBeUndefined()
  expect(take(second)).toBeDefined()
})

test('a code is good once, and for ten minutes', () => {
  const right = code()
  expect(right).toMatch(/^\d{6}$/)
  expect(type(right)).toEqual({ data: { to: 'x' } })
  expect(type(right)).toEqual({ left: 0 })
  expect(type(code(), now + 600_000)).toEqual({ left: 0 })
})

test('wrong codes are counted; after the last one the right one is worth nothing', () => {
  const right = code()
  const left = Array.from({ length: limits.codeTries }, () => type(other(right)))
  expect(left).toEqual([{ left: 2 }, { left: 1 }, { left: 0 }])
  expect(type(right)).toEqual({ left: 0 })
})
