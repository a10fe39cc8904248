import { guestMethods } from '@/model/guests/methods'
import { moveDevice } from '@/server/guests/vouchers/move-device'
import type { Runtime } from '@/server/kernel/runtime'
import { admitEverywhere, removeEverywhere } from './gate'
import type { Place } from './place'
import { type Device, type Entry, endGuests, findGuest, type Guest, moveGuest, startGuest, tellGuests } from './store'
import { forgetReading, lookAtGuests } from './watch'

/** Lets a session in on the gateways; false, and the session is over, where none took it. */
async function open(runtime: Runtime, guest: Guest, now: number): Promise<boolean> {
  const admitted = await admitEverywhere(runtime, guest, now)
  for (const device of admitted) forgetReading(runtime, device, [guest])
  if (admitted.length > 0) return true
  endGuests(runtime, [guest.id], 'gateway', Date.now())
  tellGuests(runtime, guest)
  return false
}

/** The device's session in this LAN. */
export function guestOf(runtime: Runtime, { network, lan }: Place, mac: string): Guest | undefined {
  const held = findGuest(runtime, network, mac)
  return held?.lan === lan ? held : undefined
}

/** Who is in already and is asked again: a gateway that forgot the guest is told. Undefined where the session is over. */
export async function stillIn(runtime: Runtime, place: Place, mac: string): Promise<Guest | undefined> {
  const held = guestOf(runtime, place, mac)
  if (!held) return undefined
  await lookAtGuests(runtime, place.network)
  const now = guestOf(runtime, place, mac)
  return now?.id === held.id ? now : undefined
}

/** A guest comes in: the session and what the browser keeps of it; undefined where no gateway lets anybody in. */
export function comeIn(runtime: Runtime, place: Place, device: Device, entry: Entry, now: number) {
  const { guest, token } = startGuest(runtime, place, device, entry, now)
  const opened = async () => {
    // One that goes on: what the gateway counted is not to be forgotten, so it is asked first.
    if (guest.started !== now && (await stillIn(runtime, place, device.mac))) return { guest, token }
    return (await open(runtime, guest, now)) ? { guest, token } : undefined
  }
  return opened()
}

/** The session of a device that shows another MAC address now; undefined where no gateway lets it in. */
export async function goOn(runtime: Runtime, guest: Guest, device: Device, now: number): Promise<Guest | undefined> {
  // What was used by the former address, before nobody counts it any more.
  await lookAtGuests(runtime, guest.network)
  const current = findGuest(runtime, guest.network, guest.mac)
  if (current?.id !== guest.id) return undefined
  const moved = runtime.db.transaction(() => {
    if (current.voucher !== null) moveDevice(runtime, { voucher: current.voucher, from: current.mac, to: device.mac })
    return moveGuest(runtime, current, device, now)
  })
  await removeEverywhere(runtime, [current])
  return (await open(runtime, moved, now)) ? moved : undefined
}

/** Ends a session for good, and cuts its device off. */
export async function leave(runtime: Runtime, guest: Guest, now: number): Promise<void> {
  // What it used of a limit, or of what its server is told, before nobody counts it any more.
  if (guest.byteLimit !== null || guest.method === guestMethods.radius) await lookAtGuests(runtime, guest.network)
  endGuests(runtime, [guest.id], 'signedOut', now)
  tellGuests(runtime, guest)
  await removeEverywhere(runtime, [guest])
}
