import { blockOf } from '@/server/guests/sessions/blocks'
import { guestOf } from '@/server/guests/sessions/come-in'
import { findPlace, type Place } from '@/server/guests/sessions/place'
import type { Guest } from '@/server/guests/sessions/store'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { withinRate } from '@/server/kernel/rate'
import { type Runtime, runtimeIfReady } from '@/server/kernel/runtime'
import { askerOf } from './asker'
import { isByTls } from './by-name'

// The Captive Portal API (RFC 8908): what a phone asks by itself that was told of the portal by DHCP.

type State = {
  captive: boolean
  'user-portal-url': string
  'venue-info-url'?: string
  /** Of who is in alone, as the RFC has it. */
  'can-extend-session'?: boolean
  'seconds-remaining'?: number
  'bytes-remaining'?: number
}

/** The gateways are asked for bytes so often, whoever asks. */
const lookEveryMs = 5000
const patienceMs = 1000

/** A gateway let the guest in; before, nothing passes. */
const isAdmitted = ({ readings }: Guest): boolean => readings !== '{}'

function leftTo(guest: Guest | undefined, now: number): { seconds: number; bytes?: number } | undefined {
  if (!guest || !isAdmitted(guest)) return undefined
  const seconds = Math.floor((guest.ends - now) / 1000)
  const bytes = guest.byteLimit === null ? undefined : guest.byteLimit - guest.bytes
  if (seconds <= 0 || (bytes !== undefined && bytes <= 0)) return undefined
  return { seconds, ...(bytes !== undefined && { bytes }) }
}

/** The guest by what the gateways say now, where it has bytes that they count. */
async function counted(runtime: Runtime, place: Place, mac: string, now: number): Promise<Guest | undefined> {
  const { network } = place
  const held = guestOf(runtime, place, mac)
  if (!held || held.byteLimit === null) return held
  if (!withinRate(runtime, `guest bytes ${network}`, 1, lookEveryMs, now)) return held
  const looked = lookAtGuests(runtime, network).catch(error => console.error('guests:', error))
  await Promise.race([looked, new Promise<void>(done => setTimeout(done, patienceMs).unref())])
  return guestOf(runtime, place, mac)
}

async function stateOf(runtime: Runtime, place: Place, mac: string, host: string, now: number): Promise<State> {
  const { landing } = place.policy
  const about = {
    'user-portal-url': `https://${host}/portal/${place.lan}`,
    ...(landing?.startsWith('https://') && { 'venue-info-url': landing }),
  }
  const blocked = blockOf(runtime, place.network, mac, now)
  const guest = blocked ? undefined : await counted(runtime, place, mac, now)
  const left = leftTo(guest, Date.now())
  if (!guest || !left) return { captive: true, ...about }
  return {
    captive: false,
    ...about,
    // Who is in to read a code's letter stays in by typing it there.
    'can-extend-session': guest.provisional,
    'seconds-remaining': left.seconds,
    ...(left.bytes !== undefined && { 'bytes-remaining': left.bytes }),
  }
}

const answer = (status: number, type: string, body: object): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': type, 'cache-control': 'private, no-store' },
  })
const refused = (status: number, title: string): Response => answer(status, 'application/problem+json', { title })

/** Answers what asks at `/portal/<LAN>/api`; by TLS alone, and about nobody but who asks. */
export async function answerApi(lan: string, request: Request): Promise<Response> {
  const runtime = runtimeIfReady()
  if (!isByTls(request)) return refused(404, 'There is no API here.')
  if (!runtime) return refused(503, 'The portal is starting.')
  const place = await findPlace(runtime, lan)
  if (!place) return refused(404, 'There is no portal here.')
  const now = Date.now()
  const asker = await askerOf(runtime, place, request, now)
  if (asker === 'none') return refused(403, 'Only guests of this network may ask.')
  if (asker === 'hasty') return refused(429, 'You ask too often.')
  const host = request.headers.get('host') ?? ''
  return answer(200, 'application/captive+json', await stateOf(runtime, place, asker.mac, host, now))
}
