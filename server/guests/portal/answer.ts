import { eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { type CodeWay, type GuestMethod, guestMethods } from '@/model/guests/methods'
import { linkedVoucher } from '@/model/guests/voucher-print'
import { limits } from '@/model/limits'
import { gateKey } from '@/server/devices/change/plan/gate'
import { pageAddress } from '@/server/drivers/unix/gate-page'
import { heldOver } from '@/server/guests/sessions/again'
import { blockOf } from '@/server/guests/sessions/blocks'
import { comeIn, goOn, guestOf, leave, stillIn } from '@/server/guests/sessions/come-in'
import { isCrowded } from '@/server/guests/sessions/crowd'
import { removeEverywhere } from '@/server/guests/sessions/gate'
import { closingOf, openingOf, withinHours } from '@/server/guests/sessions/opening'
import { findPlace, findSplash, type Place } from '@/server/guests/sessions/place'
import { type Guest, guestByToken, type Entry as Means, noteFailure } from '@/server/guests/sessions/store'
import { noteVisit } from '@/server/guests/sessions/visits'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { cookieLine, readCookie } from '@/server/kernel/cookies'
import { type Runtime, runtimeIfReady } from '@/server/kernel/runtime'
import { networkZone } from '@/server/networks/networks/zone'
import { adShown, toWatch } from './ads'
import { noteRedirect } from './asker'
import { type FullVoucher, type Sent, type SentCode, type Wrong, wrongAt } from './attempt'
import { codeField } from './by-code'
import { isByTls, ledByName } from './by-name'
import { insteadField } from './by-voucher'
import { enter } from './enter'
import { codePage, type Entry, entryPage } from './entry-page'
import { askAnswered, keepAsk } from './external'
import { ownPagePolicy } from './files'
import { fullPage } from './full-page'
import { ownPage } from './own-page'
import {
  adPage,
  blockedPage,
  hoursPage,
  leadPage,
  onlinePage,
  outPage,
  type Proof,
  resumePage,
  troublePage,
} from './page'
import { codeSentTo } from './sent-codes'
import { type Redirect, type Refused, readRedirect, signedQuery } from './signed'
import { type Splash, splashFor, termsFor } from './splash'
import { isHasty } from './tries'
import { wifi4euOf } from './wifi4eu'
import { type Speech, speechFor } from './words'

// One address for each LAN of guests: asked for, it shows where a guest stands; sent to, it lets in, or out.

const cookieName = 'guest'

type Visit = {
  runtime: Runtime
  splash: Splash | undefined
  /** The house's own page by its id. */
  own: string | undefined
  /** What has to be accepted. */
  terms: string | undefined
  place: Place
  house: string
  speech: Speech
  now: number
  /** Of the query, or of the form that was sent. */
  said: URLSearchParams
  redirect: Redirect | Refused
  /** What the browser keeps of a session. */
  token: string | undefined
  /** The address of this page, as the guest's browser has it. */
  here: string
}
/** `to`: by its address in place of the page. */
type Answer = {
  page: string
  policy?: string
  status?: number
  to?: string
  keep?: { token: string; ends: number } | 'forget'
}

const isRefused = (redirect: Redirect | Refused): redirect is Refused => 'refused' in redirect
const byToken = ({ runtime, place, token }: Visit): Guest | undefined =>
  token ? guestByToken(runtime, place.lan, token) : undefined

/** What goes along with the next form. */
function proofOf({ said, token, redirect }: Visit): Proof {
  if (isRefused(redirect)) return token ? { token } : {}
  const names = ['mac', 'ip', 'at', 'sig', 'url']
  return Object.fromEntries(names.flatMap(name => (said.has(name) ? [[name, said.get(name) ?? '']] : [])))
}

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

const entry = (visit: Visit, more: Pick<Entry, 'wrong' | 'typed'> = {}): string => {
  const { speech, house, splash, terms, place, redirect } = visit
  // A voucher's QR code was scanned: its code stands in the field.
  const code = isRefused(redirect) ? undefined : linkedVoucher(redirect.url ?? '')
  const typed = (field: string) => (field === 'code' && code ? code : '')
  const wifi4eu = wifi4euOf(place.policy)
  const about = { speech, house, splash, terms, policy: place.policy, wifi4eu, proof: proofOf(visit) }
  return entryPage({ ...about, typed, ...more })
}

/** The page for the code that was sent; `guest`: who is in to read it. */
function codeStep(
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
function full(visit: Visit, { code, places, gone }: FullVoucher): string {
  const { speech, house, splash, place, now } = visit
  const proof = proofOf(visit)
  return fullPage({ speech, house, splash, proof, code, places, gone, other: otherWay(place, proof), now })
}

/** Who is in, by a page of their own. */
const inside = (visit: Visit, guest: Guest, proof?: Proof): string =>
  guest.provisional ? codeStep(visit, { way: 'email', to: guest.label }, { guest }) : online(visit, guest, proof)

/** Who came in now: their page, and what their browser keeps. */
const letIn = (visit: Visit, { guest, token }: { guest: Guest; token: string }): Answer => ({
  page: inside(visit, guest, guest.provisional ? undefined : { token }),
  keep: { token, ends: guest.ends },
})

const hasty = (visit: Visit): Answer => ({
  page: entry(visit, wrongAt('', visit.speech.say('errors.hasty'))),
  status: 429,
})

const trouble = ({ speech, house, splash }: Visit, what: 'old' | 'forged'): Answer => ({
  page: troublePage({ speech, house, splash }, what),
  status: 403,
})

/** The same page without the offer to go on with a former session. */
const otherWay = (place: Place, proof: Proof): string =>
  `/portal/${place.lan}?${new URLSearchParams({ ...proof, other: '1' })}`

/** The house's own page, where it has one, and else the ways in; a page elsewhere that is the only one needs no button. */
function waysIn(visit: Visit, redirect: Redirect): Answer | Promise<Answer> {
  const { runtime, place, house, own, terms, said } = visit
  const page = own && ownPage(runtime, own, { lan: place.lan, house, proof: proofOf(visit) })
  if (page) return { page, policy: ownPagePolicy }
  const { methods } = place.policy
  if (methods.length > 1 || methods[0] !== 'external' || terms) return { page: entry(visit) }
  return entered({ ...visit, said: new URLSearchParams([...said, ['method', 'external']]) }, redirect)
}

/** What has to be watched before anything else; undefined: nothing, or it was. */
function adFirst(visit: Visit, mac: string): Answer | undefined {
  const { runtime, place, speech, house, splash, now } = visit
  if (!splash?.ads) return undefined
  const { seconds = 0 } = splash.ads
  if (!seconds) {
    adShown(runtime, place, mac, now)
    return undefined
  }
  const left = toWatch(runtime, place, mac, seconds, now)
  const on = `/portal/${place.lan}?${new URLSearchParams(proofOf(visit))}`
  return left > 0 ? { page: adPage({ speech, house, splash, seconds: left, on }) } : undefined
}

/** Whoever is blocked is told so, whatever they sent; undefined: nobody is. */
function keptOut({ runtime, place, speech, house, splash, said, now }: Visit, redirect: Redirect): Answer | undefined {
  const block = blockOf(runtime, place.network, redirect.mac, now)
  if (!block) return undefined
  const method = said.get('method') ?? ''
  if (Object.hasOwn(guestMethods, method))
    noteFailure(runtime, place, redirect, guestMethods[method as GuestMethod], 'blocked', now)
  const until = block.until === null ? {} : { until: speech.moment(block.until, now) }
  return { page: blockedPage({ speech, house, splash, ...until }), status: 403 }
}

/** Outside of the portal's schedule, when it opens next; undefined: it is open. */
function shutNow({ runtime, place, speech, house, splash, now }: Visit): Answer | undefined {
  const opening = openingOf(runtime, place, now)
  if (opening.open) return undefined
  const next = opening.next === undefined ? {} : { next: speech.moment(opening.next, now) }
  return { page: hoursPage({ speech, house, splash, ...next }), status: 403 }
}

/** A device that was silent for long goes on where the portal asks nothing again; undefined: it does not. */
async function wentOn(visit: Visit, device: Redirect): Promise<Answer | undefined> {
  const { runtime, place, now } = visit
  const entry = heldOver(runtime, place, device, now)
  if (!entry || isCrowded(runtime, place, device, entry)) return undefined
  const came = await comeIn(runtime, place, device, entry, now)
  return came && letIn(visit, came)
}

/** Somebody comes to the page. */
async function shown(visit: Visit): Promise<Answer> {
  const { runtime, place, speech, house, splash, redirect, said, now } = visit
  const answer = said.get('answer')
  if (answer) return returned(visit, answer)
  const kept = byToken(visit)
  if (isRefused(redirect)) return kept ? { page: inside(visit, kept) } : trouble(visit, redirect.refused)
  if (isHasty(runtime, place, redirect, now)) return hasty(visit)
  const out = keptOut(visit, redirect)
  if (out) return out
  const held = await stillIn(runtime, place, redirect.mac)
  if (held && !(held.provisional && said.has('other'))) return { page: inside(visit, held) }
  const shut = shutNow(visit)
  if (shut) return shut
  const over = said.has('other') ? undefined : await wentOn(visit, redirect)
  if (over) return over
  const proof = proofOf(visit)
  if (kept && kept.mac !== redirect.mac && !said.has('other'))
    return { page: resumePage({ speech, house, splash, proof, other: otherWay(place, proof) }) }
  const waits = codeSentTo(runtime, place.lan, redirect.mac, now)
  if (waits && !said.has('other')) return { page: codeStep(visit, waits) }
  noteVisit(runtime, place.network, redirect.mac, now)
  return adFirst(visit, redirect.mac) ?? waysIn(visit, redirect)
}

async function resumed(visit: Visit, redirect: Redirect): Promise<Answer> {
  const { runtime, speech, now } = visit
  const kept = byToken(visit)
  if (!kept) return { page: entry(visit) }
  const guest = await goOn(runtime, kept, redirect, now)
  return guest
    ? { page: inside(visit, guest) }
    : { page: entry(visit, wrongAt('', speech.say('errors.gateway'))), status: 503 }
}

/** More of a field is not even looked at. */
const fieldCharacters = 1024
const sentOf = (said: URLSearchParams): Sent => ({
  method: said.get('method') ?? '',
  terms: said.has('terms'),
  text: field => (said.get(field) ?? '').slice(0, fieldCharacters),
})

/** What was typed stands there again, as far as it was no secret. */
const typedAgain = (sent: Sent) => (field: string) => (field === 'terms' ? (sent.terms ? '1' : '') : sent.text(field))

function refused(visit: Visit, wrong: readonly Wrong[], status = 200): Answer {
  const sent = sentOf(visit.said)
  const atCode = wrong.some(one => one.field === codeField)
  const way: CodeWay = sent.method === 'sms' ? 'sms' : 'email'
  const page = atCode
    ? codeStep(visit, { way, to: sent.text('to') }, { wrong })
    : entry(visit, { wrong, typed: typedAgain(sent) })
  return { page, status }
}

function crowded(visit: Visit, device: Redirect, { method }: Means): Answer {
  const { runtime, place, speech, now } = visit
  noteFailure(runtime, place, device, method, 'devicesFull', now)
  return refused(visit, wrongAt('', speech.say('errors.crowded', { count: place.policy.maxDevices ?? 0 })).wrong)
}

/** Lets in; whose place it is goes out at the same time. */
async function comeInstead({ runtime, place, now }: Visit, device: Redirect, entry: Means, replaced?: Guest) {
  const came = comeIn(runtime, place, device, entry, now)
  const [guest] = await Promise.all([came, replaced && removeEverywhere(runtime, [replaced])])
  return guest
}

async function entered(visit: Visit, redirect: Redirect): Promise<Answer> {
  const { runtime, place, speech, house, splash, terms, now, said, here } = visit
  const about = { runtime, place, device: redirect, speech, house, terms, here, asked: redirect.url, now }
  const found = enter({ ...about, sent: sentOf(said) })
  // Awaited only where somebody outside was asked: between a voucher's last place and its session lies nothing.
  const outcome = found instanceof Promise ? await found : found
  if ('wrong' in outcome) return refused(visit, outcome.wrong)
  if ('full' in outcome) return { page: full(visit, outcome.full) }
  if ('lead' in outcome) return { page: leadPage({ speech, house, splash, to: outcome.lead }) }
  // While somebody outside was asked.
  const out = keptOut(visit, redirect)
  if (out) return out
  const code = 'sent' in outcome ? outcome.sent : undefined
  const { entry: own, replaced } = 'entry' in outcome ? outcome : { ...outcome.sent, replaced: undefined }
  const entry = own && withinHours(own, closingOf(runtime, place, { started: now, method: own.method }, now), now)
  if (entry && isCrowded(runtime, place, redirect, entry)) return crowded(visit, redirect, entry)
  const came = entry && (await comeInstead(visit, redirect, entry, replaced))
  if (came) return letIn(visit, came)
  if (code) return { page: codeStep(visit, code) }
  return refused(visit, wrongAt('', speech.say('errors.gateway')).wrong, 503)
}

/** Somebody comes back from a page elsewhere, with its answer: about the device that was led there, whoever brings it. */
async function returned(visit: Visit, answer: string): Promise<Answer> {
  const { runtime, place, said: came, now } = visit
  const ask = askAnswered(runtime, place, answer, now)
  if (!ask) return trouble(visit, 'old')
  const said = signedQuery(gateKey(runtime, place.network), ask, now)
  const redirect = { ...ask, at: Math.floor(now / 1000) }
  const home = { ...visit, said, redirect }
  if (isHasty(runtime, place, ask, now)) return hasty(home)
  const out = keptOut(home, redirect) ?? shutNow(home)
  if (out) return out
  const form = { method: 'external', terms: '1', answer, answerSig: came.get('sig') ?? '' }
  const done = await entered({ ...home, said: new URLSearchParams([...said, ...Object.entries(form)]) }, redirect)
  if (done.status === 503) keepAsk(runtime, ask)
  // By an address that can be opened again, and that tells nobody the answer.
  return done.keep ? { ...done, to: `/portal/${place.lan}?${said}` } : done
}

/** Somebody sends a form. */
async function sent(visit: Visit): Promise<Answer> {
  const { runtime, place, speech, house, splash, redirect, said, now } = visit
  const act = said.get('act')
  if (act === 'leave') {
    const guest = isRefused(redirect) ? byToken(visit) : guestOf(runtime, place, redirect.mac)
    if (guest) await leave(runtime, guest, now)
    return { page: outPage({ speech, house, splash }), keep: 'forget' }
  }
  if (isRefused(redirect)) return trouble(visit, redirect.refused)
  if (isHasty(runtime, place, redirect, now)) return hasty(visit)
  const out = keptOut(visit, redirect) ?? shutNow(visit)
  if (out) return out
  if (act === 'resume') return resumed(visit, redirect)
  // What the device used that gives up its place, before nobody counts it any more.
  if (said.has(insteadField)) await lookAtGuests(runtime, place.network)
  return adFirst(visit, redirect.mac) ?? entered(visit, redirect)
}

function reply({ page, policy, status = 200, to, keep }: Answer, lan: string, now: number, secure = false): Response {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  if (policy) headers.set('content-security-policy', policy)
  const path = `/portal/${lan}`
  if (keep === 'forget') headers.append('set-cookie', cookieLine(cookieName, '', secure, 0, path))
  else if (keep) {
    const seconds = Math.max(1, Math.round((keep.ends - now) / 1000))
    headers.append('set-cookie', cookieLine(cookieName, keep.token, secure, seconds, path))
  }
  if (to) headers.set('location', to)
  return to ? new Response(null, { status: 302, headers }) : new Response(page, { status, headers })
}

const nobody = (status: number): Response =>
  new Response('There is no page here.\n', {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })

const saidBy = async (request: Request): Promise<URLSearchParams> =>
  request.method === 'POST' ? new URLSearchParams(await request.text()) : new URL(request.url).searchParams

/** Answers a guest's browser at `/portal/<LAN>`. Only what came in by the portal's own listener is answered at all. */
export async function answerGuest(lan: string, request: Request): Promise<Response> {
  const runtime = runtimeIfReady()
  if (request.headers.get('x-lanward-portal') !== '1') return nobody(404)
  if (!runtime) return nobody(503)
  const now = Date.now()
  const place = await findPlace(runtime, lan)
  if (!place) {
    const speech = await speechFor(runtime, request.headers, 'UTC')
    const page = troublePage({ speech, house: speech.say('title') }, 'closed')
    return reply({ page, status: 404 }, lan, now)
  }
  const { network, organization } = place
  const house = runtime.db.select({ name: networks.name }).from(networks).where(eq(networks.id, network)).get()?.name
  const zone = await networkZone(runtime, organization, network)
  const said = await saidBy(request)
  const token = said.get('token') ?? readCookie(request.headers.get('cookie'), cookieName)
  const led = await ledByName(runtime, place, request, { said, token, now })
  if (led) return led
  const fields = await findSplash(runtime, place)
  const fileAddress = (id: string) => `/portal/${lan}/file/${id}`
  const splash = fields && splashFor(fields, request.headers.get('accept-language'), fileAddress)
  const visit: Visit = {
    ...{
      runtime,
      place,
      house: house ?? '',
      now,
      said,
      splash,
      own: fields?.page,
      terms: termsFor(place.policy.terms, fields, splash),
    },
    speech: await speechFor(runtime, request.headers, zone ?? 'UTC'),
    redirect: readRedirect(gateKey(runtime, network), lan, said, now),
    token,
    here: `${isByTls(request) ? 'https' : 'http'}://${request.headers.get('host') ?? new URL(request.url).host}/portal/${lan}`,
  }
  if (!isRefused(visit.redirect)) noteRedirect(runtime, place, visit.redirect, now)
  const answer = await (request.method === 'POST' ? sent(visit) : shown(visit))
  const policy = wifi4euOf(place.policy)?.policy
  return reply({ ...(policy && { policy }), ...answer }, lan, now, isByTls(request))
}
