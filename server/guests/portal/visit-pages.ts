import type { CodeWay } from '@/model/guests/methods'
import { linkedVoucher } from '@/model/guests/voucher-print'
import { limits } from '@/model/limits'
import { pageAddress } from '@/server/drivers/unix/gate-page'
import type { Guest } from '@/server/guests/sessions/store'
import { type FullVoucher, type Sent, type SentCode, type Wrong, wrongAt } from './attempt'
import { codeField } from './by-code'
import { codePage, type Entry, entryPage } from './entry-page'
import { fullPage } from './full-page'
import { onlinePage, type Proof, troublePage } from './page'
import { type Answer, isRefused, otherWay, proofOf, type Visit } from './visit'
import { wifi4euOf } from './wifi4eu'

// The pages of the portal as they are for one visit.

/** Whether a guest asked for this very page: by its name, or by the address that a voucher's QR code has. */
function isOwnAddress(url: string, name: string | undefined): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === pageAddress || host === name?.toLowerCase()
}

function online(visit: Visit, guest: Guest, proof: Proof = proofOf(visit)): string {
  const { speech, house, splash, now, place, redirect } = visit
  const { ends, label, byteLimit, bytes, downloadKbps, uploadKbps } = guest
  return onlinePage({
    ...{ speech, house, splash, now, ends, label, proof },
    ...(byteLimit !== null && { byteLimit, bytesLeft: Math.max(0, byteLimit - bytes) }),
    ...(downloadKbps !== null && { download: downloadKbps }),
    ...(uploadKbps !== null && { upload: uploadKbps }),
    ...(place.policy.landing && { landing: place.policy.landing }),
    ...(!isRefused(redirect) &&
      redirect.url &&
      !isOwnAddress(redirect.url, place.pageName) && { wanted: redirect.url }),
    name: place.pageName,
  })
}

export const entry = (visit: Visit, more: Pick<Entry, 'wrong' | 'typed'> = {}): string => {
  const { speech, house, splash, terms, place, redirect } = visit
  // A voucher's QR code was scanned: its code stands in the field.
  const code = isRefused(redirect) ? undefined : linkedVoucher(redirect.url ?? '')
  const typed = (field: string) => (field === 'code' && code ? code : '')
  const wifi4eu = wifi4euOf(place.policy)
  const about = { speech, house, splash, terms, policy: place.policy, wifi4eu, proof: proofOf(visit) }
  return entryPage({ ...about, typed, ...more })
}

/** The page for the code that was sent; `guest`: who is in to read it. */
export function codeStep(
  visit: Visit,
  { way, to }: Pick<SentCode, 'way' | 'to'>,
  { guest, wrong }: { guest?: Guest | undefined; wrong?: readonly Wrong[] } = {},
) {
  const { speech, house, splash, place, now } = visit
  const proof = proofOf(visit)
  return codePage({
    ...{ speech, house, splash, proof, way, to, minutes: limits.codeMinutes, other: otherWay(place, proof) },
    ...(guest && { until: speech.moment(guest.ends, now) }),
    ...(wrong && { wrong }),
  })
}

/** Where a full voucher's guest says whose place this device takes. */
export function full(visit: Visit, { code, places, gone }: FullVoucher): string {
  const { speech, house, splash, place, now } = visit
  const proof = proofOf(visit)
  return fullPage({ speech, house, splash, proof, code, places, gone, other: otherWay(place, proof), now })
}

/** Who is in, by a page of their own. */
export const inside = (visit: Visit, guest: Guest, proof?: Proof): string =>
  guest.provisional ? codeStep(visit, { way: 'email', to: guest.label }, { guest }) : online(visit, guest, proof)

/** Who came in now: their page, and what their browser keeps. */
export const letIn = (visit: Visit, { guest, token }: { guest: Guest; token: string }): Answer => ({
  page: inside(visit, guest, guest.provisional ? undefined : { token }),
  keep: { token, ends: guest.ends },
})

export const hasty = (visit: Visit): Answer => ({
  page: entry(visit, wrongAt('', visit.speech.say('errors.hasty'))),
  status: 429,
})

export const trouble = ({ speech, house, splash }: Visit, what: 'old' | 'forged'): Answer => ({
  page: troublePage({ speech, house, splash }, what),
  status: 403,
})

/** More of a field is not even looked at. */
const fieldCharacters = 1024

export const sentOf = (said: URLSearchParams): Sent => ({
  method: said.get('method') ?? '',
  terms: said.has('terms'),
  text: field => (said.get(field) ?? '').slice(0, fieldCharacters),
})

/** What was typed stands there again, as far as it was no secret. */
const typedAgain = (sent: Sent) => (field: string) => (field === 'terms' ? (sent.terms ? '1' : '') : sent.text(field))

export function refused(visit: Visit, wrong: readonly Wrong[], status = 200): Answer {
  const sent = sentOf(visit.said)
  const atCode = wrong.some(one => one.field === codeField)
  const way: CodeWay = sent.method === 'sms' ? 'sms' : 'email'
  const page = atCode
    ? codeStep(visit, { way, to: sent.text('to') }, { wrong })
    : entry(visit, { wrong, typed: typedAgain(sent) })
  return { page, status }
}
