import { randomInt } from 'node:crypto'
import type { CodeWay } from '@/model/guests/methods'
import { limits } from '@/model/limits'
import type { Place } from '@/server/guests/sessions/place'
import type { Device } from '@/server/guests/sessions/store'
import { part } from '@/server/kernel/part'
import { countOne, isSpent, withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { same } from './attempt'

// Codes that guests were sent by email or text message: in memory, as a restart costs nobody more than another one.

type Code = { way: CodeWay; to: string; code: string; until: number; wrong: number }
const codes = part('guestCodes', () => new Map<string, Code>())
const codesKept = 10_000

/** Within an hour: strangers are not to be bothered, nor is the house's good name or money to be spent. */
export const mostSent = { to: 3, device: 5, network: 120 }
/** Of those who are let in to read theirs, within a day. */
const reading = { device: 3, network: 120 }
const hourMs = 3_600_000

const keyOf = (lan: string, mac: string) => `${lan} ${mac}`

function codeOf(runtime: Runtime, lan: string, mac: string, now: number): Code | undefined {
  const found = codes.of(runtime).get(keyOf(lan, mac))
  return found && found.until > now ? found : undefined
}

/** Where a device was sent a code to that still holds. */
export const codeSentTo = (
  runtime: Runtime,
  lan: string,
  mac: string,
  now: number,
): Pick<Code, 'way' | 'to'> | undefined => codeOf(runtime, lan, mac, now)

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** From now on this code holds for the device; the one before holds no longer. */
export function keepCode(
  runtime: Runtime,
  { lan }: Place,
  { mac }: Device,
  { way, to, code }: Pick<Code, 'way' | 'to' | 'code'>,
  now: number,
): void {
  const all = codes.of(runtime)
  all.delete(keyOf(lan, mac))
  all.set(keyOf(lan, mac), { way, to, code, until: now + limits.codeMinutes * 60_000, wrong: 0 })
  // The oldest stand first: those that hold no longer go, with the addresses in them.
  for (const [key, { until }] of all) {
    if (until > now && all.size <= codesKept) break
    all.delete(key)
  }
}

/** All are counted together, or none. */
function withinAll(runtime: Runtime, counts: readonly (readonly [string, number])[], windowMs: number, now: number) {
  if (counts.some(([key, most]) => isSpent(runtime, key, most, windowMs, now))) return false
  for (const [key] of counts) countOne(runtime, key, windowMs, now)
  return true
}

/** Whether one more may be sent, which is counted. */
export const maySend = (
  runtime: Runtime,
  { network }: Place,
  { mac, ip }: Device,
  { way, to }: Pick<Code, 'way' | 'to'>,
  now: number,
): boolean =>
  withinAll(
    runtime,
    [
      [`guest ${way} to ${to.toLowerCase()}`, mostSent.to],
      [`guest ${way} ${network} ${mac}`, mostSent.device],
      [`guest ${way} ${network} ${ip}`, mostSent.device],
      [`guest ${way} ${network}`, mostSent.network],
    ],
    hourMs,
    now,
  )

/** The house's own text with its places filled. */
export const filledText = (text: string, code: string): string =>
  text.replaceAll('{code}', code).replaceAll('{minutes}', String(limits.codeMinutes))

/** Takes the code that a device was sent: `right` says where to, and uses it up; `none`: there is none to be right. */
export function takeCode(
  runtime: Runtime,
  lan: string,
  mac: string,
  typed: string,
  now: number,
): { right: string } | 'wrong' | 'none' {
  const held = codeOf(runtime, lan, mac, now)
  if (!held) return 'none'
  const right = same(typed.replace(/\D/g, ''), held.code)
  held.wrong += right ? 0 : 1
  if (right || held.wrong >= limits.codeTries) codes.of(runtime).delete(keyOf(lan, mac))
  return right ? { right: held.to } : held.wrong >= limits.codeTries ? 'none' : 'wrong'
}

/** Whether a device may be in for a moment to read its letter, once more. */
export const mayRead = (runtime: Runtime, { network }: Place, { mac }: Device, now: number): boolean =>
  withinAll(
    runtime,
    [
      [`guest reads ${network} ${mac}`, reading.device],
      [`guest reads ${network}`, reading.network],
    ],
    24 * hourMs,
    now,
  ) && withinRate(runtime, `guest reads at once ${network}`, 30, 60_000, now)
