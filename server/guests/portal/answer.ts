import { eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { gateKey } from '@/server/devices/change/plan/gate'
import { heldOver } from '@/server/guests/sessions/again'
import { comeIn, goOn, guestOf, leave, stillIn } from '@/server/guests/sessions/come-in'
import { isCrowded } from '@/server/guests/sessions/crowd'
import { findPlace, findSplash } from '@/server/guests/sessions/place'
import { noteVisit } from '@/server/guests/sessions/visits'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { cookieLine, readCookie } from '@/server/kernel/cookies'
import { runtimeIfReady } from '@/server/kernel/runtime'
import { networkZone } from '@/server/networks/networks/zone'
import { adShown, toWatch } from './ads'
import { noteRedirect } from './asker'
import { wrongAt } from './attempt'
import { isByTls, ledByName } from './by-name'
import { insteadField } from './by-voucher'
import { entered, keptOut, shutNow } from './entered'
import { returned } from './external-answer'
import { isLedAtOnce } from './external-lead'
import { ownPagePolicy } from './files'
import { ownPage } from './own-page'
import { adPage, outPage, resumePage, troublePage } from './page'
import { codeSentTo } from './sent-codes'
import { type Redirect, readRedirect } from './signed'
import { splashFor, termsFor } from './splash'
import { isHasty } from './tries'
import { type Answer, byToken, isRefused, otherWay, proofOf, type Visit } from './visit'
import { codeStep, entry, hasty, inside, letIn, trouble } from './visit-pages'
import { wifi4euOf } from './wifi4eu'
import { speechFor } from './words'

// One address for each LAN of guests: asked for, it shows where a guest stands; sent to, it lets in, or out.

const cookieName = 'guest'

/** The house's own page, where it has one, and else the ways in. */
function waysIn(visit: Visit, redirect: Redirect): Answer | Promise<Answer> {
  const { runtime, place, house, own, said } = visit
  const page = own && ownPage(runtime, own, { lan: place.lan, house, proof: proofOf(visit) })
  if (page) return { page, policy: ownPagePolicy }
  if (!isLedAtOnce(visit)) return { page: entry(visit) }
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
