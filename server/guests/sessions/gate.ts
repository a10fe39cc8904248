import { fleetOf } from '@/server/devices/link/fleet'
import type { Admission } from '@/server/drivers/guests'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { gatewaysOf } from './place'
import type { Guest } from './store'
import { inTurn, type Turns } from './turns'

// What the gateways of a LAN are told about guests.

const turns = part('guestTurns', (): Turns<Admission> => new Map())

/** A guest waits for it with the page open. */
const patienceMs = 15_000

/** What is left to a guest; nobody is let in without time or bytes. */
export function admissionOf(guest: Guest, now: number): Admission | undefined {
  const seconds = Math.ceil((guest.ends - now) / 1000)
  const bytes = guest.byteLimit === null ? undefined : guest.byteLimit - guest.bytes
  if (seconds <= 0 || (bytes !== undefined && bytes <= 0)) return undefined
  return {
    ...{ mac: guest.mac, lan: guest.lan, seconds, idleSeconds: guest.idleSeconds },
    ...(bytes !== undefined && { bytes }),
    ...(guest.downloadKbps !== null && { download: guest.downloadKbps }),
    ...(guest.uploadKbps !== null && { upload: guest.uploadKbps }),
  }
}

/** Lets guests in on one gateway. Rejects with a DeviceError. */
export async function admitOn(runtime: Runtime, device: number, guests: readonly Guest[], now: number): Promise<void> {
  const send = async (all: Admission[]): Promise<void> => {
    await fleetOf(runtime).ask('admitGuests', { id: device, guests: all, endBy: Date.now() + patienceMs })
  }
  const admissions = guests.flatMap(guest => admissionOf(guest, now) ?? [])
  const lans = new Set(admissions.map(one => one.lan))
  // What is wrong with a LAN's gate keeps nobody out of another.
  const ofLan = (lan: string) => admissions.filter(one => one.lan === lan)
  const sent = [...lans].map(lan => inTurn(turns.of(runtime), `${device} ${lan}`, ofLan(lan), send))
  await Promise.all(sent)
}

/** Lets a guest in on all gateways of the LAN; resolves to those that did. */
export async function admitEverywhere(runtime: Runtime, guest: Guest, now: number): Promise<number[]> {
  const devices = gatewaysOf(runtime, guest.network, guest.lan)
  const done = await Promise.allSettled(devices.map(device => admitOn(runtime, device, [guest], now)))
  for (const [at, one] of done.entries())
    if (one.status === 'rejected') console.error(`guests: gateway ${devices[at]} lets nobody in:`, one.reason)
  return devices.filter((_, at) => done[at]?.status === 'fulfilled')
}

type Ended = Pick<Guest, 'network' | 'lan' | 'mac'>

/**
 * Cuts guests off on all gateways that may know them; resolves to those that did not hear it, which the next look at
 * them makes up for.
 */
export async function removeEverywhere(runtime: Runtime, guests: readonly Ended[]): Promise<number[]> {
  const byDevice = new Map<number, Set<string>>()
  for (const { network, lan, mac } of guests)
    for (const device of gatewaysOf(runtime, network, lan))
      byDevice.set(device, (byDevice.get(device) ?? new Set()).add(mac))
  const told = [...byDevice]
  const done = await Promise.allSettled(
    told.map(([id, macs]) =>
      fleetOf(runtime).ask('removeGuests', { id, macs: [...macs], endBy: Date.now() + patienceMs }),
    ),
  )
  return told.flatMap(([device], at) => (done[at]?.status === 'rejected' ? [device] : []))
}
