import type { Place } from '@/server/guests/sessions/place'
import type { Device } from '@/server/guests/sessions/store'
import { countOne, isSpent, withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert } from '@/server/notify/alerts/raise'

/**
 * Wrong codes and passwords within ten minutes, after which whoever tries waits: a device, by its MAC and by its IP address,
 * and the whole network, since a MAC address is changed easily. Long before that somebody is told.
 */
export const guessing = { device: 6, told: 60, network: 240, minutes: 10 }
const windowMs = guessing.minutes * 60_000
/** Of a device's forms, whatever is in them: each may ask a gateway. */
const formsAMinute = 20

const keyOf = (place: Place, who: string) => `guest tries ${place.network} ${who}`
const keysOf = (place: Place, { mac, ip }: Device): [string, number][] => [
  [keyOf(place, mac), guessing.device],
  [keyOf(place, ip), guessing.device],
  [keyOf(place, ''), guessing.network],
]

/** Whether a device has to wait before it tries a code or a password again. */
export const isLocked = (runtime: Runtime, place: Place, device: Device, now: number): boolean =>
  keysOf(place, device).some(([key, most]) => isSpent(runtime, key, most, windowMs, now))

const nameKey = ({ network }: Place, name: string) => `guest name tries ${network} ${name.toLowerCase()}`

/** Whether somebody's name is tried too often, from wherever: whoever keeps it may lock it for good. */
export const isNameLocked = (runtime: Runtime, place: Place, name: string, now: number): boolean =>
  isSpent(runtime, nameKey(place, name), guessing.device, windowMs, now)

export const countWrongName = (runtime: Runtime, place: Place, name: string, now: number): void =>
  countOne(runtime, nameKey(place, name), windowMs, now)

/** Whether it sends its form too often. */
export const isHasty = (runtime: Runtime, place: Place, { mac }: Device, now: number): boolean =>
  !withinRate(runtime, `guest forms ${place.network} ${mac}`, formsAMinute, 60_000, now)

/** Counts a wrong one. */
export function countWrong(runtime: Runtime, place: Place, device: Device, now: number): void {
  for (const [key] of keysOf(place, device)) countOne(runtime, key, windowMs, now)
  if (!isSpent(runtime, keyOf(place, ''), guessing.told, windowMs, now)) return
  // Once for as long as it goes on.
  if (!withinRate(runtime, keyOf(place, 'told'), 1, 6 * windowMs, now)) return
  const { organization, network, lanName } = place
  raiseAlert(runtime, {
    ...{ type: 'guestGuessing', organization, network, at: now },
    values: { lan: lanName, count: guessing.told, minutes: guessing.minutes },
  })
}
