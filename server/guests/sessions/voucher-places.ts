import { and, eq, max, sql } from 'drizzle-orm'
import { guests } from '@/db/schema'
import { placeName, placesOf } from '@/server/guests/vouchers/places'
import type { Runtime } from '@/server/kernel/runtime'

export type UsedPlace = {
  /** Of `vouchers/places.ts`. */
  name: string
  mac: string
  /** Last known traffic, or when the device came; unix ms. */
  activeAt: number
  /** Is in now. */
  isIn: boolean
}

/** A page for a phone; of a code that many use nobody looks for more. */
const most = 20

/** The devices of a voucher, the one that did nothing for longest first: whoever is in now stands last. */
export function usedPlaces(runtime: Runtime, network: number, voucher: number): UsedPlace[] {
  const said = runtime.db
    .select({ mac: guests.mac, activeAt: max(guests.activeAt), isIn: sql<number>`max(${guests.ended} is null)` })
    .from(guests)
    .where(and(eq(guests.network, network), eq(guests.voucher, voucher)))
    .groupBy(guests.mac)
    .all()
  const byMac = new Map(said.map(one => [one.mac, one]))
  return placesOf(runtime, voucher)
    .map(device => {
      const { activeAt, isIn } = byMac.get(device.mac) ?? {}
      return { device, isIn: isIn === 1, activeAt: activeAt ?? device.countedAt ?? device.firstAt }
    })
    .toSorted((a, b) => Number(a.isIn) - Number(b.isIn) || a.activeAt - b.activeAt)
    .slice(0, most)
    .map(({ device, ...used }) => ({ name: placeName(runtime, device), mac: device.mac, ...used }))
}
