import { inArray } from 'drizzle-orm'
import * as z from 'zod'
import { guests } from '@/db/schema'
import { limits } from '@/model/limits'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { idsInput, storedGuests } from './chosen'
import { admitEverywhere } from './gate'
import { closingOf } from './opening'
import { findPlace } from './place'
import { type Guest, tellGuests } from './store'
import { restOf } from './use'
import { forgetReading, lookAtGuests } from './watch'

const minuteMs = 60_000
const dayMinutes = 1440

/** Those of the network who are in, each by means that have no end of their own. */
function extendable(runtime: Runtime, network: number, ids: readonly number[]): Guest[] {
  const rows = storedGuests(runtime, network, ids)
  for (const { mac, ended, voucher, provisional } of rows) {
    if (ended !== null || provisional) fail('guestNotIn', { mac })
    if (voucher !== null) fail('guestOfVoucher', { mac })
  }
  return rows
}

/** Later by so much, as far as the portal's day and schedule allow. */
async function endOf(runtime: Runtime, guest: Guest, minutes: number, now: number): Promise<number> {
  const place = await findPlace(runtime, guest.lan)
  const left = place ? restOf(runtime, place.policy, guest, now).ms : undefined
  const wanted = Math.min(guest.ends + minutes * minuteMs, now + limits.guestExtensionDays * dayMinutes * minuteMs)
  const most = Math.min(now + (left ?? Number.POSITIVE_INFINITY), closingOf(runtime, place, guest, now))
  return Math.max(guest.ends, Math.min(wanted, most))
}

export const extend = call({
  scope: 'network',
  authority: 'guests_remove',
  changes: true,
  tag: 'guests',
  path: 'guests/extend',
  topics: ['guests'],
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({
    ids: idsInput,
    minutes: z
      .int()
      .min(1)
      .max(limits.guestExtensionDays * dayMinutes),
  }),
  /**
   * Gives guests who are in so many minutes more; all or none. A voucher's time is the voucher's: it is renewed instead.
   * What the portal leaves of a day holds, and its schedule: `less` is how many got less by it. `silent`: who no gateway was told of, which
   * the next look at them makes up for.
   */
  async run({ runtime, network, now, log }, { ids, minutes }) {
    extendable(runtime, network.id, ids)
    // Telling a gateway of bounds anew begins its count of bytes again, so it is asked first.
    await lookAtGuests(runtime, network.id)
    const open = extendable(runtime, network.id, ids)
    const ends = new Map(
      await Promise.all(open.map(async one => [one.id, await endOf(runtime, one, minutes, now)] as const)),
    )
    const later = runtime.db.transaction(() =>
      extendable(runtime, network.id, ids).map(guest => {
        log({ action: 'extend', object: 'guest', name: guest.mac, fields: { minutes: [undefined, minutes] } })
        return runtime.db
          .update(guests)
          .set({ ends: ends.get(guest.id) ?? guest.ends })
          .where(inArray(guests.id, [guest.id]))
          .returning()
          .get()
      }),
    )
    const [first] = later
    if (first) tellGuests(runtime, first)
    const told = await Promise.all(
      later.map(async guest => {
        const devices = await admitEverywhere(runtime, guest, Date.now())
        for (const device of devices) forgetReading(runtime, device, [guest])
        return devices.length
      }),
    )
    const less = open.filter(one => (ends.get(one.id) ?? 0) < one.ends + minutes * minuteMs).length
    return { extended: later.length, less, silent: told.filter(count => count === 0).length }
  },
})
