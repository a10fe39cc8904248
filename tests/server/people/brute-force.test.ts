import crypto from 'node:crypto'
import { EventEmitter } from 'node:events'
import { Server } from 'node:net'
import * as argon2 from '@node-rs/argon2'
import { limitConnections } from '@/appliance/http/connections'
import { consoleConnections } from '@/appliance/http/doors'
import { codes } from '@/model/codes'
import type { BaseContext } from '@/server/kernel/call'
import { limitRate } from '@/server/kernel/rate'
import { hashPassword, verifyPassword } from '@/server/people/accounts/passwords'
import { letters } from '@/server/people/sign-in/code-picture'
import { createGraphicalCodes } from '@/server/people/sign-in/graphical-code'
import { times } from '../../_sample'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { type Clock, codeOf, right, stillClock, turnOn } from '../_second-factor'

// Only counted: every verification is argon2's own.
jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof argon2>('@node-rs/argon2')
  return { ...real, verify: jest.fn(real.verify) }
})
const verified = () => jest.mocked(argon2.verify).mock.calls.length

let manager: Manager
let clock: Clock
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
  clock = stillClock()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await manager.stop()
})

const minute = 60_000
const wrong = { ...right, userPwd: '0'.repeat(64) }
const addressOf = (n: number) => `10.${1 + Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`

/** As many at once as a swarm would send, each from an address of its own. */
async function swarm(count: number, guess: (browser: Browser) => Promise<{ retCode: number }>) {
  const answers: number[] = []
  for (let from = 0; from < count; from += 500) {
    const part = Array.from({ length: Math.min(500, count - from) }, (_, n) =>
      guess(manager.browser(addressOf(from + n))),
    )
    answers.push(...(await Promise.all(part)).map(answer => answer.retCode))
  }
  return answers
}

test('a wrong account and a wrong password cost exactly one verification each, and answer alike', async () => {
  const cost = async (input: object, address: string) => {
    const before = verified()
    const { retCode, data } = await manager.browser(address).post('login', input)
    return { retCode, data, verifications: verified() - before }
  }
  const password = await cost(wrong, '10.0.0.6')
  expect(await cost({ ...wrong, userName: 'nobody.1' }, '10.0.0.7')).toEqual(password)
  expect(password).toMatchObject({ retCode: codes.wrongPassword, verifications: 1 })
  expect((await cost(right, '10.0.0.8')).verifications).toBe(1)
})

const guesses = times(10_000, 500)
test(`${guesses} guesses from as many addresses: about thirty are tried, the real person’s browser gets in meanwhile, any other after 30 minutes`, async () => {
  const mine = manager.browser('10.0.0.5')
  expect((await mine.post('login', right)).retCode).toBe(0)
  const before = verified()
  const answers = await swarm(guesses, browser => browser.post('login', wrong))
  expect(new Set(answers)).toEqual(new Set([codes.wrongPassword, codes.accountLocked]))
  // Two are verified at a time, so a few more may be under way when the last that counts is refused.
  expect(verified() - before).toBeLessThanOrEqual(36)
  expect((await manager.browser('10.0.0.9').post('login', right)).retCode).toBe(codes.accountLocked)
  expect((await mine.post('login', right)).retCode).toBe(0)
  clock.pass(30 * minute + 1)
  expect((await manager.browser('10.0.0.9').post('login', right)).retCode).toBe(0)
})

const codesTried = times(1000, 200)
test(`nor do ${codesTried} codes of the second factor by somebody who has the password`, async () => {
  const mine = manager.browser('10.0.0.5')
  await mine.post('login', right)
  const { secret } = await turnOn(mine, clock)
  const thief = manager.browser('192.0.2.1')
  await thief.post('login', right)
  const stolen = thief.cookies.get('lanward.factor') ?? ''
  const good = new Set([-1, 0, 1].map(steps => codeOf(secret, clock.now(), steps)))
  let next = 0
  const answers = await swarm(codesTried, browser => {
    browser.cookies.set('lanward.factor', stolen)
    do next++
    while (good.has(String(next).padStart(6, '0')))
    return browser.post('login', { checkCode: String(next).padStart(6, '0') })
  })
  expect(new Set(answers)).toEqual(new Set([codes.mfaWrong, codes.accountLocked]))
  expect(answers.filter(code => code === codes.mfaWrong)).toHaveLength(31)
  const input = { ...right, checkCode: codeOf(secret, clock.now()) }
  expect((await manager.browser('10.0.0.9').post('login', input)).retCode).toBe(codes.accountLocked)
  expect((await mine.post('login', input)).retCode).toBe(0)
})

test('a flood from one address keeps nobody else waiting', async () => {
  // When its turn comes: which of two that run side by side ends first is the system's.
  const turns: string[] = []
  const stored = await hashPassword(right.userPwd)
  const check = (from: string) => verifyPassword(stored, right.userPwd, () => void turns.push(from), from)
  const flood = Array.from({ length: 40 }, () => check('10.0.0.9'))
  const answers = await Promise.all([...flood, check('10.0.0.5'), check('10.0.0.6')])
  expect(answers).toEqual(Array(42).fill(true))
  expect(turns.slice(0, 6)).toEqual(expect.arrayContaining(['10.0.0.5', '10.0.0.6']))
})

test('a flood of pictures asked for by one address ends nobody else’s', () => {
  jest.spyOn(crypto, 'randomInt').mockImplementation(() => 0)
  const pictures = createGraphicalCodes()
  const answer = (letters[0] ?? '').repeat(5)
  const mine = pictures.issue(0, '10.0.0.5')
  for (let n = 0; n < 6000; n++) pictures.issue(0, '10.0.0.66')
  expect(pictures.check(mine.codeToken, answer, 0)).toBe(true)
  const [first, ...more] = Array.from({ length: 51 }, () => pictures.issue(0, '10.0.0.5').codeToken)
  expect([first, more[0], more.at(-1)].map(token => pictures.check(token, answer, 0))).toEqual([false, true, true])
})

test('rates and connections count the addresses of a /64 together', () => {
  const ask = (address: string) => limitRate({ ...manager, address, now: 0 } as unknown as BaseContext, 'asking', 2, 10)
  ask('2001:db8:1:2::1')
  ask('2001:db8:1:2::2')
  expect(() => ask('2001:db8:1:2::3')).toThrow('rateLimited')
  ask('2001:db8:1:3::1')

  const server = new Server()
  limitConnections(server, consoleConnections)
  const comesIn = (remoteAddress: string) => {
    const destroy = jest.fn()
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy })
    server.emit('connection', socket)
    return { taken: () => destroy.mock.calls.length === 0, close: () => socket.emit('close') }
  }
  const all = Array.from({ length: 1100 }, (_, n) => comesIn(`2001:db8:1:2::${(n + 1).toString(16)}`))
  const taken = all.filter(one => one.taken())
  expect(taken).toHaveLength(1024)
  expect(comesIn('2001:db8:1:3::1').taken()).toBe(true)
  taken[0]?.close()
  expect(comesIn('2001:db8:1:2::ffff').taken()).toBe(true)
  expect(comesIn('2001:db8:1:2::fffe').taken()).toBe(false)
})
