import { ipv4Number, isHostOf, segment4 } from '@/model/addresses'
import { fleetOf } from '@/server/devices/link/fleet'
import { isDeviceError } from '@/server/drivers/driver'
import { gatewaysOf, type Place } from '@/server/guests/sessions/place'
import type { Device } from '@/server/guests/sessions/store'
import { part } from '@/server/kernel/part'
import { withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import type { Redirect } from './signed'

// Who asks without a gateway's redirect: by the address that the request came from, whose the gateway tells. Where it
// translates addresses nobody is known, so nobody is told to ask there (server/drivers/unix/gate-api.ts).

/** No lease is shorter, so an address has the same owner. */
const freshMs = 60_000
/** While the gateway does something else, who had the address within a redirect's time is taken to have it still. */
const keptMs = 3_600_000
const mostKept = 20_000
/** A phone asks with a sheet half open. */
const patienceMs = 1500
/** Of one address, and of all: each may ask a gateway. */
const asksAMinute = 30
const allAsksAMinute = 1200

type Known = Map<string, { mac: string; at: number }>
const owners = part('guestAddresses', (): Known => new Map())
const keyOf = ({ lan }: Place, ip: string) => `${lan} ${ip}`

function remember(runtime: Runtime, place: Place, { mac, ip }: Device, at: number): void {
  const known = owners.of(runtime)
  const key = keyOf(place, ip)
  if ((known.get(key)?.at ?? 0) > at) return
  known.delete(key)
  known.set(key, { mac, at })
  for (const oldest of known.keys()) {
    if (known.size <= mostKept) return
    known.delete(oldest)
  }
}

/** What a gateway signed says whose an address was then. */
export const noteRedirect = (runtime: Runtime, place: Place, redirect: Redirect, now: number): void =>
  remember(runtime, place, redirect, Math.min(now, redirect.at * 1000))

/** The address that a request came from, IPv4 as it is written; the server in front says it. */
export const remoteOf = (request: Request): string =>
  (request.headers.get('x-lanward-remote') ?? '').replace(/^::ffff:/i, '')

/** Whether an address is a host's of the LAN. */
function isWithin({ address }: Place, ip: string): boolean {
  const [segment, number] = [segment4(address ?? ''), ipv4Number(ip)]
  return segment !== undefined && number !== undefined && isHostOf(segment, number)
}

const late = () =>
  new Promise<undefined>(done => {
    setTimeout(() => done(undefined), patienceMs).unref()
  })

/** Whose an address is by one gateway; undefined where it does not know, or does not say so in time. */
async function toldBy(runtime: Runtime, id: number, { lan }: Place, ip: string): Promise<string | undefined> {
  const asked = fleetOf(runtime).ask('guestAt', { id, address: ip, endBy: Date.now() + patienceMs })
  const found = asked.catch(error => {
    if (!isDeviceError(error)) throw error
    return undefined
  })
  // A device that is pushed to comes to no question before it is done.
  const told = await Promise.race([found, late()])
  return told?.lan === lan ? told.mac : undefined
}

const asking = part('guestAsks', (): Map<string, Promise<string | undefined>> => new Map())

/** Asks the gateways; all who ask for the same address meanwhile share the answer. */
function owner(runtime: Runtime, place: Place, ip: string): Promise<string | undefined> {
  const [all, key] = [asking.of(runtime), keyOf(place, ip)]
  const held = all.get(key)
  if (held) return held
  const gateways = gatewaysOf(runtime, place.network, place.lan)
  const told = Promise.all(gateways.map(id => toldBy(runtime, id, place, ip)))
    .then(found => found.find(mac => mac !== undefined))
    .finally(() => all.delete(key))
  all.set(key, told)
  return told
}

const mayAsk = (runtime: Runtime, { network }: Place, ip: string, now: number): boolean =>
  withinRate(runtime, `guest asks ${network} ${ip}`, asksAMinute, 60_000, now) &&
  withinRate(runtime, `guest asks ${network}`, allAsksAMinute, 60_000, now)

/** `sure`: a gateway said so just now; else it did not answer, and said so within the hour. */
type Asker = Device & { sure: boolean }

/**
 * The device behind a request. `none`: no guest of this LAN, as far as a gateway tells in time; `hasty`: it asks too often.
 */
export async function askerOf(
  runtime: Runtime,
  place: Place,
  request: Request,
  now: number,
): Promise<Asker | 'none' | 'hasty'> {
  const ip = remoteOf(request)
  if (!isWithin(place, ip)) return 'none'
  const held = owners.of(runtime).get(keyOf(place, ip))
  if (held && now - held.at < freshMs) return { mac: held.mac, ip, sure: true }
  if (!mayAsk(runtime, place, ip, now)) return 'hasty'
  const mac = await owner(runtime, place, ip)
  if (mac !== undefined) {
    remember(runtime, place, { mac, ip }, now)
    return { mac, ip, sure: true }
  }
  return held && now - held.at < keptMs ? { mac: held.mac, ip, sure: false } : 'none'
}
