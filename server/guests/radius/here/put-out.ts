import { and, eq } from 'drizzle-orm'
import { clients, devices } from '@/db/schema'
import { isInSegment } from '@/model/addresses'
import { fleetOf } from '@/server/devices/link/fleet'
import { isDeviceError } from '@/server/drivers/driver'
import { firstRadiusRequestPort } from '@/server/drivers/radius-here'
import type { Runtime } from '@/server/kernel/runtime'
import { disconnect } from '../client'
import { askersOf, radiusNetworksOf } from './desired'
import { lastSignIns } from './journal'
import { readAccounts, sessionsOf } from './sessions'

// Whoever may sign in no more is put out where they are: by a request to the access point (RFC 5176), else by its driver.

/** Of one network on each radio a port, from the first on: more than an access point has. */
const mostPorts = 24
const dayMs = 86_400_000

type Place = { mac: string; nas: string }

/** Where these users are in: by what devices account for, and by the last sign-ins where none does. */
function placesOf(runtime: Runtime, network: number, users: ReadonlySet<string>): Place[] {
  const sessions = sessionsOf(runtime, network, { open: true }).filter(one => users.has(one.user) && one.mac !== '')
  const signIns = lastSignIns(runtime.config.radius, network).filter(
    one => one.accepted && one.user !== undefined && users.has(one.user) && one.at > Date.now() - dayMs,
  )
  return [
    ...sessions.map(({ mac, nas }) => ({ mac, nas })),
    ...signIns.flatMap(({ mac, from }) => (mac === undefined ? [] : [{ mac, nas: from }])),
  ]
}

type Target = { address: string; device?: number; macs: Set<string> }

/** Whoever moved meanwhile is at another access point than where they signed in. */
function targetsOf({ db }: Pick<Runtime, 'db'>, network: number, places: readonly Place[]): Target[] {
  const all = db.select().from(devices).where(eq(devices.network, network)).all()
  const found = new Map<string, Target>()
  const add = (address: string, mac: string, device = all.find(one => one.address === address)?.id) => {
    const own = found.get(address) ?? { address, ...(device !== undefined && { device }), macs: new Set() }
    own.macs.add(mac)
    found.set(address, own)
  }
  for (const { mac, nas } of places) {
    add(nas, mac)
    const now = db
      .select({ device: clients.device })
      .from(clients)
      .where(and(eq(clients.network, network), eq(clients.mac, mac), eq(clients.online, true)))
      .get()
    const there = all.find(one => one.id === now?.device)
    if (there) add(there.address, mac, there.id)
  }
  return [...found.values()]
}

async function asked(runtime: Runtime, network: number, { address, device, macs }: Target): Promise<string[]> {
  const own = radiusNetworksOf(runtime).filter(one => one.id === network)
  const asker = askersOf(runtime, own).find(one => one.address === address || isInSegment(one.address, address))
  if (!asker) return []
  const ports = Array.from({ length: device === undefined ? 1 : mostPorts }, (_, at) => firstRadiusRequestPort + at)
  const done = await Promise.all(
    [...macs].map(async mac => {
      const answers = ports.map(port => disconnect({ host: address, port, secret: asker.secret }, mac))
      return (await Promise.all(answers)).some(Boolean) ? [mac] : []
    }),
  )
  return done.flat()
}

async function putOutAt(runtime: Runtime, network: number, target: Target): Promise<string[]> {
  const done = await asked(runtime, network, target)
  const left = [...target.macs].filter(mac => !done.includes(mac))
  if (left.length === 0 || target.device === undefined) return done
  try {
    return [...done, ...(await fleetOf(runtime).ask('kick', { id: target.device, macs: left }))]
  } catch (error) {
    if (!isDeviceError(error)) throw error
    return done
  }
}

/** Puts devices out where they are said to be; whom it was done to. */
export async function putOut(runtime: Runtime, network: number, places: readonly Place[]): Promise<string[]> {
  const done = await Promise.all(targetsOf(runtime, network, places).map(one => putOutAt(runtime, network, one)))
  return [...new Set(done.flat())]
}

/** The same for everybody who is in as one of these users. */
export async function putOutUsers(runtime: Runtime, network: number, users: ReadonlySet<string>): Promise<string[]> {
  await readAccounts(runtime)
  return putOut(runtime, network, placesOf(runtime, network, users))
}
