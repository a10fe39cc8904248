import { randomBytes, timingSafeEqual } from 'node:crypto'
import { bucketOf } from '@/model/addresses'
import type { BaseContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { countOne, isSpent } from '@/server/kernel/rate'
import { sha256 } from '@/server/kernel/secrets'
import { setup } from '@/server/kernel/setup'
import { draftState } from './draft'

const cookieName = 'lanward.wizard'
const cookieSeconds = 7 * 86_400
/** Wrong setup codes of one address (or /64). */
const wrongCodes = { most: 10, minutes: 10 }

const same = (a: string, b: string) => timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)))
const plain = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** True where no code is asked: from the machine itself, or turned off. */
export const codeFree = (context: BaseContext): boolean => context.loopback || context.runtime.setupCode === ''

export const wizardOpen = (context: BaseContext): boolean => !setup.read(context.runtime.db).finished

function checkCode(context: BaseContext, code: string): void {
  if (codeFree(context)) return
  const { most, minutes } = wrongCodes
  const [wrong, windowMs] = [`wrong setup codes of ${bucketOf(context.address)}`, minutes * 60_000]
  if (isSpent(context.runtime, wrong, most, windowMs, context.now)) fail('rateLimited', { minutes })
  if (same(plain(code), plain(context.runtime.setupCode))) return
  countOne(context.runtime, wrong, windowMs, context.now)
  fail('setupCodeWrong', { fields: { code: 'setupCodeWrong' } })
}

/** Binds the wizard to this browser. The code given again elsewhere takes the wizard over; the draft stays. */
export function enterWizard(context: BaseContext, code: string): void {
  if (!wizardOpen(context)) fail('wizardClosed')
  checkCode(context, code)
  const token = randomBytes(24).toString('base64url')
  draftState.change(context.runtime.db, { browser: sha256(token) })
  context.setCookie(cookieName, token, { maxAgeSeconds: cookieSeconds })
}

/** True for the browser the wizard is bound to. */
export function inWizard(context: BaseContext): boolean {
  const token = context.cookie(cookieName)
  const { browser } = draftState.read(context.runtime.db)
  return wizardOpen(context) && !!token && !!browser && same(sha256(token), browser)
}

/** Refuses every wizard call of another browser, and all of them once the wizard has finished. */
export function requireWizard(context: BaseContext): void {
  if (!wizardOpen(context)) fail('wizardClosed')
  if (!inWizard(context)) fail('setupCodeWrong')
}
export const leaveWizard = (context: BaseContext): void => context.clearCookie(cookieName)
