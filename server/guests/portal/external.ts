import { createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { limits } from '@/model/limits'
import { hasControlCharacters } from '@/model/rules'
import type { Place } from '@/server/guests/sessions/place'
import type { Device } from '@/server/guests/sessions/store'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { same } from './attempt'

// A page elsewhere that decides who comes in (docs/admin/portal-page.md): it is asked by an address that says who asks, and
// answers by one that the guest's browser opens. Both are base64url of JSON, signed by the portal's key.

/** Somebody registers there, or pays. */
const goodMs = 3_600_000
const mostKept = 20_000

/** Who was led there, and waits for an answer; unix ms. */
type Ask = Device & { id: string; lan: string; url?: string; at: number }
/** By the id, which the answer names. In memory: after a restart a guest begins anew. */
const asks = part('guestAsks', (): Map<string, Ask> => new Map())

const { voucherMegabytes } = limits
const kbps = z.int().min(1).max(999_000)
/** Numbers are bounds of the session in place of the portal's own: kbit/s, MB of 1,048,576 in both directions together. */
const answerFields = z.strictObject({
  id: z.string(),
  allow: z.boolean(),
  /** Of the guest, as the list of guests shows it. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .refine(text => !hasControlCharacters(text))
    .optional(),
  minutes: z
    .int()
    .min(1)
    .max(366 * 1440)
    .optional(),
  megabytes: z.int().min(voucherMegabytes.min).max(voucherMegabytes.max).optional(),
  downloadKbps: kbps.optional(),
  uploadKbps: kbps.optional(),
})
export type ExternalAnswer = z.output<typeof answerFields>

/** Hexadecimal. What is signed begins with its direction, so no question comes back as an answer. */
export const signedBy = (key: string, direction: 'ask' | 'answer', text: string): string =>
  createHmac('sha256', key).update(`${direction}.${text}`).digest('hex')

/** A device has one question at a time: asking again is the same one. */
function askOf(runtime: Runtime, { lan }: Place, device: Device, url: string | undefined, now: number): Ask {
  const all = asks.of(runtime)
  // The oldest stand first.
  for (const [id, { at }] of all) {
    if (now - at <= goodMs && all.size < mostKept) break
    all.delete(id)
  }
  const held = [...all.values()].find(one => one.lan === lan && one.mac === device.mac)
  const id = held?.id ?? randomBytes(16).toString('base64url')
  const { mac, ip } = device
  const ask = { id, lan, mac, ip, at: now, ...(url && { url }) }
  all.delete(id)
  all.set(id, ask)
  return ask
}

type Asking = { device: Device; house: string; language: string; url: string | undefined; here: string; now: number }

/** Where a guest is led: the page of the policy, and beside what it has in its query who asks. */
export function externalAddress(runtime: Runtime, place: Place, asking: Asking): string | undefined {
  const { externalPage: page, externalKey: key } = place.policy
  if (page === undefined || key === undefined) return undefined
  const { device, house, language, url, here, now } = asking
  const { id, mac, ip } = askOf(runtime, place, device, url, now)
  const at = Math.floor(now / 1000)
  const about = { id, at, mac, ip, house, network: place.lanName, language, ...(url && { url }), return: here }
  const ask = Buffer.from(JSON.stringify(about)).toString('base64url')
  const address = new URL(page)
  address.searchParams.set('ask', ask)
  address.searchParams.set('sig', signedBy(key, 'ask', ask))
  return address.href
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Whose question an answer names, whoever wrote it; undefined where none waits for one: it was answered, or is too old. */
export function askAnswered(runtime: Runtime, { lan }: Place, answer: string, now: number): Ask | undefined {
  const id = z.object({ id: z.string() }).safeParse(parsed(answer)).data?.id
  const ask = id === undefined ? undefined : asks.of(runtime).get(id)
  return ask && ask.lan === lan && now - ask.at <= goodMs ? ask : undefined
}

/** What the page says about a device: `forged` it did not sign, `unfit` has what no answer has, `none` answers nothing that waits. */
export function readAnswer(
  runtime: Runtime,
  place: Place,
  { mac }: Device,
  { answer, sig, now }: { answer: string; sig: string; now: number },
): ExternalAnswer | 'forged' | 'unfit' | 'none' {
  const { externalKey: key } = place.policy
  if (key === undefined || !same(sig, signedBy(key, 'answer', answer))) return 'forged'
  const ask = askAnswered(runtime, place, answer, now)
  if (ask?.mac !== mac) return 'none'
  const { data } = answerFields.safeParse(parsed(answer))
  return data ?? 'unfit'
}

/** An answer counts once. */
export const spendAsk = (runtime: Runtime, id: string): boolean => asks.of(runtime).delete(id)

/** Nobody was let in by it, as no gateway answered: it counts still. */
export const keepAsk = (runtime: Runtime, ask: Ask): void => {
  asks.of(runtime).set(ask.id, ask)
}
