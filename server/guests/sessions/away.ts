import { and, eq } from 'drizzle-orm'
import { guests, voucherGroups, vouchers } from '@/db/schema'
import { guestMethods } from '@/model/guests/methods'
import { termsOf } from '@/model/guests/voucher'
import { fleetOf } from '@/server/devices/link/fleet'
import { isDeviceError } from '@/server/drivers/driver'
import type { AwayState, AwayUse } from '@/server/drivers/guests'
import { usedAway } from '@/server/guests/vouchers/away'
import { count } from '@/server/guests/vouchers/redeem'
import type { Runtime } from '@/server/kernel/runtime'
import { blockOf } from './blocks'
import { findPlace, type Place } from './place'
import { endGuests, findGuest, type Guest, startGuest } from './store'

// What gateways let in by vouchers while the manager was away becomes sessions like the others, each once.

/** What a gateway says of the vouchers that it took; undefined where it takes none, or does not answer. */
export async function askAway(runtime: Runtime, device: number): Promise<AwayState | undefined> {
  try {
    return await fleetOf(runtime).ask('awayState', { id: device })
  } catch (error) {
    if (!isDeviceError(error)) throw error
    return undefined
  }
}

/** Whether a use is known: a device begins no two sessions in the same second. */
const isMerged = ({ db }: Runtime, network: number, { mac, at }: Pick<AwayUse, 'mac' | 'at'>): boolean =>
  db
    .select({ id: guests.id })
    .from(guests)
    .where(and(eq(guests.network, network), eq(guests.mac, mac), eq(guests.started, at * 1000)))
    .get() !== undefined

export const mergedOf = (runtime: Runtime, network: number, uses: readonly AwayUse[]): AwayUse[] =>
  uses.filter(one => isMerged(runtime, network, one))

/** The device's session of before, as it stood when the next one began. */
function endBefore(runtime: Runtime, held: Guest, begun: number): void {
  const to = Math.max(held.countedAt, Math.min(begun, held.ends))
  const { voucher, mac } = held
  if (voucher !== null) count(runtime, { voucher, mac, seconds: (to - held.countedAt) / 1000, bytes: 0, now: to })
  endGuests(runtime, [held.id], held.ends <= begun ? 'time' : 'again', to)
}

type Merging = { place: Place; device: number; use: AwayUse; now: number }

/** In the caller's transaction. A voucher that was voided meanwhile lets nobody in, and its group's bounds hold from now on. */
function merge(runtime: Runtime, { place, device, use, now }: Merging): void {
  const { db } = runtime
  if (isMerged(runtime, place.network, use)) return
  const begun = use.at * 1000
  const found = db
    .select({ voucher: vouchers, group: voucherGroups })
    .from(vouchers)
    .innerJoin(voucherGroups, eq(voucherGroups.id, vouchers.group))
    .where(and(eq(vouchers.id, use.voucher), eq(vouchers.network, place.network)))
    .get()
  const held = findGuest(runtime, place.network, use.mac)
  if (held) endBefore(runtime, held, begun)
  const { voucher } = found ?? {}
  const group = found && termsOf(found.group, found.voucher)
  const entry = {
    ...{ method: guestMethods.voucher, voucher: use.voucher, seconds: use.seconds, label: group?.name ?? '' },
    ...(group?.downloadKbps && { download: group.downloadKbps }),
    ...(group?.uploadKbps && { upload: group.uploadKbps }),
  }
  const { guest } = startGuest(runtime, place, { mac: use.mac, ip: use.address }, entry, begun)
  const bytes = use.bytes ?? 0
  db.update(guests)
    .set({ device, bytes, readings: JSON.stringify({ [device]: bytes }), token: null })
    .where(eq(guests.id, guest.id))
    .run()
  const blocked = blockOf(runtime, place.network, use.mac, now) !== undefined
  if (blocked) endGuests(runtime, [guest.id], 'blocked', now)
  if (!voucher) {
    endGuests(runtime, [guest.id], 'voucher', now)
    return
  }
  usedAway(db, voucher, use.mac, begun)
  // Renewed since: what was used before counts no more.
  if (voucher.validFrom <= begun) count(runtime, { voucher: voucher.id, mac: use.mac, seconds: 0, bytes, now: begun })
}

/** Sessions of what gateways took by themselves in these LANs, the earliest first. */
export async function mergeAway(
  runtime: Runtime,
  network: number,
  lansOf: ReadonlyMap<number, ReadonlySet<string>>,
): Promise<void> {
  const said = await Promise.all(
    [...lansOf.keys()].map(async device => ({ device, state: await askAway(runtime, device) })),
  )
  const uses = said
    .flatMap(({ device, state }) => (state?.uses ?? []).map(use => ({ device, use })))
    .filter(({ device, use }) => lansOf.get(device)?.has(use.lan) && !isMerged(runtime, network, use))
    .toSorted((a, b) => a.use.at - b.use.at)
  const places = new Map<string, Place | undefined>()
  for (const { use } of uses) if (!places.has(use.lan)) places.set(use.lan, await findPlace(runtime, use.lan))
  const now = Date.now()
  runtime.db.transaction(() => {
    for (const { device, use } of uses) {
      const place = places.get(use.lan)
      if (place?.network === network) merge(runtime, { place, device, use, now })
    }
  })
  // Gateways need not keep what is known by now, and who looks at vouchers sees that they were used.
  const place = uses.map(({ use }) => places.get(use.lan)).find(one => one?.network === network)
  if (place) runtime.bus.emit({ topic: 'vouchers', organization: place.organization, network })
}
