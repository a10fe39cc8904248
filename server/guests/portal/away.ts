import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { localeShown } from '@/model/locales'
import { guestBounds } from '@/model/profiles/portal'
import { fleetOf } from '@/server/devices/link/fleet'
import { isDeviceError } from '@/server/drivers/driver'
import type { AwayList } from '@/server/drivers/guests'
import { askAway, mergedOf } from '@/server/guests/sessions/away'
import { blocksOf } from '@/server/guests/sessions/blocks'
import { findPlace, findSplash, gatewaysOf, type Place } from '@/server/guests/sessions/place'
import { inTurn, type Turns } from '@/server/guests/sessions/turns'
import { awayLine, awayVouchers, gatewayKey, networkKey } from '@/server/guests/vouchers/away-list'
import { readGeneral } from '@/server/kernel/general'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { networkZone } from '@/server/networks/networks/zone'
import { guestLans } from '@/server/networks/settings/portals'
import { awayPages, takesVouchers } from './away-page'
import { splashFor, termsFor } from './splash'
import { speechOf } from './words'

// Gateways are given what they let in by while the manager is away, as state: when somebody sells or voids, and again and
// again, since what was used goes on.

const everyMs = 30_000
/** What is used on and on goes out so often: each time the gateway writes it to its flash. */
const usesEveryMs = 600_000

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function pagesOf(runtime: Runtime, places: readonly Place[]): Promise<AwayList['pages']> {
  const [first] = places
  if (!first) return []
  const house = runtime.db.select({ name: networks.name }).from(networks).where(eq(networks.id, first.network)).get()
  const zone = await networkZone(runtime, first.organization, first.network)
  const speech = await speechOf(localeShown(readGeneral(runtime.db).language), zone ?? 'UTC')
  return Promise.all(
    places.map(async place => {
      const fields = await findSplash(runtime, place)
      const splash = fields && splashFor(fields, null, () => undefined)
      return awayPages({
        ...{ place, speech, splash, house: house?.name ?? '' },
        terms: termsFor(place.policy.terms, fields, splash),
      })
    }),
  )
}

function portalLine(place: Place, withTerms: boolean): string {
  const { download, upload } = guestBounds(place.policy)
  return ['p', place.lan, download ?? '-', upload ?? '-', withTerms ? 1 : 0].join(' ')
}

type Made = Omit<AwayList, 'merged'>

async function listOf(
  runtime: Runtime,
  { network, device, places, now }: { network: number; device: number; places: readonly Place[]; now: number },
): Promise<Made> {
  const pages = await pagesOf(runtime, places)
  const taking = places.filter(takesVouchers)
  const all = taking.length > 0 ? await awayVouchers(runtime, network, device, now) : []
  const keys = [networkKey(runtime, network), gatewayKey(runtime, device)] as const
  const portals = taking.map(place =>
    portalLine(place, pages.find(one => one.lan === place.lan)?.entry.includes('name="terms"') ?? false),
  )
  const blocked = [...blocksOf(runtime, network, now).values()].map(
    one => `x ${one.mac} ${one.until === null ? '-' : Math.ceil(one.until / 1000)}`,
  )
  const digest = sha256(JSON.stringify([keys, portals, blocked, pages, all.map(one => one.terms)]))
  const head = `lanward 1 ${digest} ${Math.floor(now / 1000)}`
  const text = [head, ...portals, ...blocked, ...all.map(one => awayLine(keys[1], one)), ''].join('\n')
  return { digest, text, keys, pages }
}

/** When each gateway was given its list last, unix ms. */
const given = part('awayLists', (): Map<number, number> => new Map())

async function give(runtime: Runtime, network: number, device: number, places: readonly Place[]): Promise<void> {
  const state = await askAway(runtime, device)
  if (!state) return
  const now = Date.now()
  // First: whatever goes from the gateway is in its list.
  const merged = mergedOf(runtime, network, state.uses)
  const list = await listOf(runtime, { network, device, places, now })
  const isFresh = now - (given.of(runtime).get(device) ?? 0) < usesEveryMs
  if (state.digest === list.digest && merged.length === 0 && isFresh) return
  await fleetOf(runtime).ask('putAway', { id: device, list: { ...list, merged } })
  given.of(runtime).set(device, now)
}

async function giveAll(runtime: Runtime, network: number): Promise<void> {
  const lans = guestLans(runtime.db, runtime.secrets, network)
  const found = await Promise.all(lans.map(({ lan }) => findPlace(runtime, lan)))
  const places = found.flatMap(one => one ?? [])
  const placesOf = new Map<number, Place[]>()
  for (const place of places)
    for (const device of gatewaysOf(runtime, network, place.lan))
      placesOf.set(device, [...(placesOf.get(device) ?? []), place])
  for (const [device, own] of placesOf)
    await give(runtime, network, device, own).catch(error => {
      if (!isDeviceError(error)) throw error
      console.error(`guests: gateway ${device} does not take its list of vouchers:`, error.message)
    })
}

const turns = part('awayTurns', (): Turns<never> => new Map())

/** One at a time for a network; all who ask meanwhile share the next. */
export const giveLists = (runtime: Runtime, network: number): Promise<void> =>
  inTurn(turns.of(runtime), String(network), [], () => giveAll(runtime, network))

export function startAwayLists(runtime: Runtime): void {
  const failed = (error: unknown) => console.error('guests:', error)
  const all = async () => {
    const of = new Set(guestLans(runtime.db, runtime.secrets).map(one => one.network))
    await Promise.all([...of].map(network => giveLists(runtime, network).catch(failed)))
  }
  runtime.jobs.start({ id: 'voucher-lists', every: everyMs, run: all })
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic === 'vouchers' && network !== undefined) giveLists(runtime, network).catch(failed)
  })
  runtime.closers.push(off)
}
