import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'
import type { Found } from '@/server/worker/sweep'
import { connectedSegments, isPrivate, ownAddresses, type Proposed, parseSegment } from './segments'

/** Something found, and the device that it is when it is managed already. */
export type Discovered = Found & { managed?: { id: number; name: string } }
export type Discovery = {
  id: string
  network: number
  state: 'running' | 'done' | 'stopped' | 'failed'
  segments: string[]
  startedAt: number
  endedAt?: number
  done: number
  total: number
  found: Found[]
}

const tellEveryMs = 1000

/** What a sweep covers where nothing else says so. */
const discoveryState = state('discovery', z.object({ segments: z.array(z.string()).default([]) }))

/** The last sweep of each network, in memory; network 0 is the wizard's. */
function discoveries(runtime: Runtime): Map<number, Discovery> {
  const held = runtime.parts.get('discoveries') as Map<number, Discovery> | undefined
  if (held) return held
  const made = new Map<number, Discovery>()
  runtime.parts.set('discoveries', made)
  return made
}

/** What a sweep would cover when nobody says otherwise: LANWARD_DISCOVERY, then what an administrator set, then what is connected. */
export function defaultSegments(runtime: Runtime): Proposed[] {
  const named = runtime.config.discovery.split(',').filter(text => text.trim())
  const wanted = named.length ? named : discoveryState.read(runtime.db).segments
  const parsed = wanted.flatMap(text => {
    const segment = parseSegment(text)
    return 'problem' in segment ? [] : [segment]
  })
  return wanted.length ? parsed : connectedSegments()
}

/** Addresses that the network's devices know of, beside the segments; LLDP's names go along. */
async function neighbours(runtime: Runtime, network: number): Promise<Found[]> {
  if (!network) return []
  const own = ownAddresses()
  const found = await fleetOf(runtime).ask('neighbours', network)
  return found.filter(one => isPrivate(one.address) && !own.has(one.address))
}

/** Starts a sweep in the background and returns its record, which changes as it goes on. One at a time a network. */
export function startDiscovery(
  runtime: Runtime,
  input: { network: number; organization?: number; segments: string[]; addresses: string[]; communities?: string[] },
): Discovery {
  const held = discoveries(runtime).get(input.network)
  if (held?.state === 'running') return held
  const record: Discovery = {
    id: randomUUID(),
    network: input.network,
    state: 'running',
    segments: input.segments,
    startedAt: Date.now(),
    done: 0,
    total: input.addresses.length,
    found: [],
  }
  discoveries(runtime).set(input.network, record)
  void run(runtime, record, input)
    .then(() => {
      if (record.state === 'running') record.state = 'done'
    })
    .catch(error => {
      record.state = 'failed'
      console.error('discovery:', error)
    })
    .finally(() => {
      record.endedAt = Date.now()
      runtime.bus.emit({
        topic: 'discovery',
        id: record.id,
        organization: input.organization,
        network: input.network || undefined,
      })
    })
  return record
}

async function run(runtime: Runtime, record: Discovery, input: Parameters<typeof startDiscovery>[1]): Promise<void> {
  const known = await neighbours(runtime, input.network)
  const told = new Map(known.map(one => [one.address, one]))
  const addresses = [...new Set([...input.addresses, ...told.keys()])]
  record.total = addresses.length
  let toldAt = 0
  const sweep = { id: record.id, addresses, communities: input.communities }
  await fleetOf(runtime).ask('sweep', sweep, progress => {
    record.done = progress.done
    if (progress.found) record.found.push(named(progress.found, told.get(progress.found.address)))
    if (Date.now() - toldAt < tellEveryMs) return
    toldAt = Date.now()
    runtime.bus.emit({
      topic: 'discovery',
      id: record.id,
      organization: input.organization,
      network: input.network || undefined,
    })
  })
}

const named = (found: Found, told: Found | undefined): Found =>
  told
    ? { ...found, from: told.from, device: told.device, name: found.name ?? told.name, mac: found.mac ?? told.mac }
    : found

export async function stopDiscovery(runtime: Runtime, network: number): Promise<void> {
  const record = discoveries(runtime).get(network)
  if (record?.state !== 'running') return
  record.state = 'stopped'
  await fleetOf(runtime).ask('stopSweep', record.id)
}

/** What a network's last sweep found is forgotten; one that runs ends. */
function forgetDiscovery(runtime: Runtime, network: number): void {
  void stopDiscovery(runtime, network).catch(error => console.error('discovery:', error))
  discoveries(runtime).delete(network)
}

/** Addresses that the former owner's sweep knocked at are no part of a network that was handed over. */
export function startDiscoveries(runtime: Runtime): void {
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic === 'networkMoved' && network !== undefined) forgetDiscovery(runtime, network)
  })
  runtime.closers.push(off)
}

/** The last sweep of a network, with what of it is managed already; undefined when there was none since the start. */
export function discoveryOf(
  runtime: Runtime,
  network: number,
): (Omit<Discovery, 'found'> & { found: Discovered[] }) | undefined {
  const record = discoveries(runtime).get(network)
  if (!record) return undefined
  const rows = runtime.db
    .select({ id: devices.id, name: devices.name, address: devices.address, mac: devices.mac })
    .from(devices)
    .where(eq(devices.network, network))
    .all()
  const byAddress = new Map(rows.map(row => [row.address, row]))
  const byMac = new Map(rows.filter(row => row.mac).map(row => [row.mac, row]))
  const found = record.found.map(one => {
    const row = byAddress.get(one.address) ?? (one.mac ? byMac.get(one.mac) : undefined)
    return { ...one, ...(row && { managed: { id: row.id, name: row.name } }) }
  })
  found.sort((a, b) => a.address.localeCompare(b.address, 'en', { numeric: true }))
  return { ...record, found }
}
