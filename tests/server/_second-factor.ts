// A manager with a clock that stands still until a test moves it, and an authenticator program.
import { Secret, TOTP } from 'otpauth'
import { passwordDigest } from '@/server/people/accounts/accounts'
import type { Browser } from './_manager'
import { owner } from './_manager'

export const right = { userName: owner.account, userPwd: passwordDigest(owner.password) }
const stepMs = 30_000

/** Stands in the middle of the next step: nothing that was made before, as the account's password, is younger. */
export function stillClock() {
  let now = (Math.floor(Date.now() / stepMs) + 1.5) * stepMs
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  return {
    now: () => now,
    pass(ms: number) {
      now += ms
    },
  }
}
export type Clock = ReturnType<typeof stillClock>

/** What an authenticator program shows `steps` of 30 s from now. */
export const codeOf = (secret: string, now: number, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * stepMs })

/** Turns the second factor on for who is signed in; a step later its next code is good. */
export async function turnOn(browser: Browser, clock: Clock) {
  const { secret } = (await browser.post('mfa/setup', { password: owner.password })).data as { secret: string }
  const answer = await browser.post('mfa/enable', { code: codeOf(secret, clock.now()) })
  expect(answer.retCode).toBe(0)
  clock.pass(stepMs)
  return { secret, recoveryCodes: answer.data.recoveryCodes as string[] }
}
