import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'
import { type Task, taskKind } from '@/server/kernel/task'
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
  found: Discovered[]
}
type Swept = Pick<Discovery, 'segments' | 'done' | 'total'> & { found: Found[] }

const tellEveryMs = 1000

/** What a sweep covers where nothing else says so. */
const discoveryState = state('discovery', z.object({ segments: z.array(z.string()).default([]) }))

// A sweep is soon made anew: none outlives the manager.
const sweeps = taskKind<Swept>({ type: 'discover', topic: 'discovery', kept: 'memory' })
/** The last sweep of each network; network 0 is the wizard's. */
const lastSweeps = part('lastSweeps', () => new Map<number, Task<Swept>>())

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

/** Starts a sweep in the background. One at a time a network: where one runs it is that one. */
export function startDiscovery(runtime: Runtime, input: SweepRequest): Pick<Discovery, 'id' | 'total'> {
  const last = lastSweeps.of(runtime).get(input.network)
  const task = last?.state === 'running' ? last : beginSweep(runtime, input)
  return { id: task.id, total: task.progress.total }
}

/** `network` 0: the wizard's. */
type SweepRequest = {
  network: number
  organization?: number
  segments: string[]
  addresses: string[]
  communities?: string[]
}

function beginSweep(runtime: Runtime, input: SweepRequest): Task<Swept> {
  const { network, organization, segments, addresses } = input
  const progress = { segments, done: 0, total: addresses.length, found: [] }
  const task = sweeps.add(runtime, { organization, network: network || null, progress })
  lastSweeps.of(runtime).set(network, task)
  void task.run(() => sweep(runtime, task, input))
  return task
}

async function sweep(runtime: Runtime, task: Task<Swept>, input: SweepRequest): Promise<void> {
  const { progress } = task
  const known = await neighbours(runtime, input.network)
  // The worker knows nothing yet that it could stop.
  if (task.signal.aborted) return
  const told = new Map(known.map(one => [one.address, one]))
  const addresses = [...new Set([...input.addresses, ...told.keys()])]
  progress.total = addresses.length
  let toldAt = 0
  const request = { id: task.id, addresses, communities: input.communities }
  await fleetOf(runtime).ask('sweep', request, ({ done, found }) => {
    progress.done = done
    if (found) progress.found.push(named(found, told.get(found.address)))
    if (Date.now() - toldAt < tellEveryMs) return
    toldAt = Date.now()
    task.tell()
  })
}

const named = (found: Found, told: Found | undefined): Found =>
  told
    ? { ...found, from: told.from, device: told.device, name: found.name ?? told.name, mac: found.mac ?? told.mac }
    : found

export async function stopDiscovery(runtime: Runtime, network: number): Promise<void> {
  const task = lastSweeps.of(runtime).get(network)
  if (task?.state !== 'running') return
  task.cancel()
  await fleetOf(runtime).ask('stopSweep', task.id)
}

/** What a network's last sweep found is forgotten; one that runs ends. */
function forgetDiscovery(runtime: Runtime, network: number): void {
  void stopDiscovery(runtime, network).catch(error => console.error('discovery:', error))
  lastSweeps.of(runtime).delete(network)
}

/** Addresses that the former owner's sweep knocked at are no part of a network that was handed over. */
export function startDiscoveries(runtime: Runtime): void {
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic === 'networkMoved' && network !== undefined) forgetDiscovery(runtime, network)
  })
  runtime.closers.push(off)
}

/** The last sweep of a network, with what of it is managed already; undefined when there was none since the start. */
export function discoveryOf(runtime: Runtime, network: number): Discovery | undefined {
  const task = lastSweeps.of(runtime).get(network)
  if (!task) return undefined
  const rows = runtime.db
    .select({ id: devices.id, name: devices.name, address: devices.address, mac: devices.mac })
    .from(devices)
    .where(eq(devices.network, network))
    .all()
  const byAddress = new Map(rows.map(row => [row.address, row]))
  const byMac = new Map(rows.filter(row => row.mac).map(row => [row.mac, row]))
  const found = task.progress.found.map(one => {
    const row = byAddress.get(one.address) ?? (one.mac ? byMac.get(one.mac) : undefined)
    return { ...one, ...(row && { managed: { id: row.id, name: row.name } }) }
  })
  found.sort((a, b) => a.address.localeCompare(b.address, 'en', { numeric: true }))
  const state = task.state === 'cancelled' ? 'stopped' : task.state
  const { id, createdAt: startedAt, endedAt } = task
  return { id, network, state, startedAt, endedAt: endedAt ?? undefined, ...task.progress, found }
}
