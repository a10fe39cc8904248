import { and, eq, inArray, or } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import { notSelf } from '@/server/devices/link/managed-devices'
import { isOwnAddress } from '@/server/drivers/own-address'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'
import { type Task, type TaskRecord, taskKind } from '@/server/kernel/task'
import type { Neighbour } from '@/server/worker/clients-merge'
import type { Found, SnmpLogin } from '@/server/worker/sweep'
import { connectedSegments, isPrivate, ownAddresses, type Proposed, parseSegment } from './segments'

/**
 * Something found: the device that it is when it is managed already, else `status` 2 (unpaired) where it offers a way in;
 * without either it is a host that nobody can manage.
 */
export type Discovered = Found & { managed?: { id: number; name: string }; status?: 2 }
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

const sweeps = taskKind<Swept>({ type: 'discover', topic: 'discovery' })
type Last = TaskRecord<Swept> & Partial<Pick<Task<Swept>, 'cancel'>>
/** The last sweep of each network, also of before the start; undefined: there was none. Network 0 is the wizard's. */
const lastSweeps = part('lastSweeps', () => new Map<number, Last | undefined>())

function lastSweep(runtime: Runtime, network: number): Last | undefined {
  const known = lastSweeps.of(runtime)
  if (!known.has(network)) known.set(network, sweeps.last(runtime, network))
  return known.get(network)
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
async function neighbours(runtime: Runtime, network: number): Promise<Neighbour[]> {
  if (!network) return []
  const own = ownAddresses()
  const found = await fleetOf(runtime).ask('neighbours', network)
  return found.filter(one => isPrivate(one.address) && !own.has(one.address))
}

/** Starts a sweep in the background. One at a time a network: where one runs it is that one. */
export function startDiscovery(runtime: Runtime, input: SweepRequest): Pick<Discovery, 'id' | 'total'> {
  const last = lastSweep(runtime, input.network)
  const task = last?.state === 'running' ? last : beginSweep(runtime, input)
  return { id: task.id, total: task.progress.total }
}

/** `network` 0: the wizard's. */
type SweepRequest = {
  network: number
  organization?: number
  segments: string[]
  addresses: string[]
  /** SNMP logins for what answers, in this order. */
  logins?: SnmpLogin[]
}

function beginSweep(runtime: Runtime, input: SweepRequest): Last {
  const { network, organization, segments, addresses } = input
  const progress = { segments, done: 0, total: addresses.length, found: [] }
  const task = sweeps.add(runtime, { organization, network: network || null, progress })
  lastSweeps.of(runtime).set(network, task)
  // What was found before stays until there is something newer.
  void task.run(() => sweep(runtime, task, input)).then(() => sweeps.forget(runtime, network, task.id))
  return task
}

async function sweep(runtime: Runtime, task: Task<Swept>, input: SweepRequest): Promise<void> {
  const { progress } = task
  const known = await neighbours(runtime, input.network)
  // The worker knows nothing yet that it could stop.
  if (task.signal.aborted) return
  const told = new Map(known.map(one => [one.address, one]))
  const all = [...new Set([...input.addresses, ...told.keys()])]
  const isOthers = input.organization !== undefined && notSelf(runtime, input.organization).notSelf === true
  const addresses = isOthers ? all.filter(one => !isOwnAddress(one)) : all
  progress.total = addresses.length
  let toldAt = 0
  const request = {
    ...{
      id: task.id,
      addresses,
      logins: input.logins,
      macs: `${runtime.config.root}/node_modules/oui-data/index.json`,
    },
    neighbours: Object.fromEntries(known.map(({ address, mac, capabilities }) => [address, { mac, capabilities }])),
  }
  await fleetOf(runtime).ask('sweep', request, ({ done, found }) => {
    progress.done = done
    if (found) put(progress.found, named(found, told.get(found.address)))
    if (Date.now() - toldAt < tellEveryMs) return
    toldAt = Date.now()
    task.tell()
  })
}

/** What more is heard of an address takes the place of what was known. */
function put(found: Found[], one: Found): void {
  const at = found.findIndex(other => other.address === one.address)
  if (at < 0) found.push(one)
  else found[at] = one
}

const named = (found: Found, told: Neighbour | undefined): Found =>
  told
    ? { ...found, from: told.from, device: told.device, name: found.name ?? told.name, mac: found.mac ?? told.mac }
    : found

/** What the last search of a network found, to be looked through and not kept. */
export const lastFound = (runtime: Runtime, network: number): readonly Found[] =>
  lastSweep(runtime, network)?.progress.found ?? []

export async function stopDiscovery(runtime: Runtime, network: number): Promise<void> {
  const task = lastSweeps.of(runtime).get(network)
  if (task?.state !== 'running') return
  task.cancel?.()
  await fleetOf(runtime).ask('stopSearch', task.id)
}

/** What a network's last sweep found is forgotten; one that runs ends. */
function forgetDiscovery(runtime: Runtime, network: number): void {
  void stopDiscovery(runtime, network).catch(error => console.error('discovery:', error))
  lastSweeps.of(runtime).set(network, undefined)
  sweeps.forget(runtime, network)
}

/** Addresses that the former owner's sweep knocked at are no part of a network that was handed over. */
export function startDiscoveries(runtime: Runtime): void {
  sweeps.takeUp(runtime)
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic === 'networkMoved' && network !== undefined) forgetDiscovery(runtime, network)
  })
  runtime.closers.push(off)
}

/** Whether something found can be managed: it answers over SSH or SNMP. */
const offersWay = ({ ssh, snmp }: Found) => (ssh !== undefined && ssh.reason === undefined) || snmp !== undefined

/** How many devices the last sweep of a network found that nobody adopted: state 2, unpaired (specification section 4). */
export function unpairedCount(runtime: Runtime, network: number): number {
  const found = lastSweep(runtime, network)?.progress.found.filter(offersWay) ?? []
  if (!found.length) return 0
  const addresses = found.map(one => one.address)
  const macs = found.flatMap(one => one.mac ?? [])
  const rows = runtime.db
    .select({ address: devices.address, mac: devices.mac })
    .from(devices)
    .where(and(eq(devices.network, network), or(inArray(devices.address, addresses), inArray(devices.mac, macs))))
    .all()
  const taken = new Set(rows.flatMap(row => [row.address, row.mac]))
  return found.filter(one => !taken.has(one.address) && !taken.has(one.mac ?? one.address)).length
}

/** The last sweep of a network, with what of it is managed already; undefined when there was none. */
export function discoveryOf(runtime: Runtime, network: number): Discovery | undefined {
  const task = lastSweep(runtime, network)
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
    const managed = row && { managed: { id: row.id, name: row.name } }
    return { ...one, ...(managed ?? (offersWay(one) && { status: 2 as const })) }
  })
  found.sort((a, b) => a.address.localeCompare(b.address, 'en', { numeric: true }))
  const state = task.state === 'cancelled' ? 'stopped' : task.state
  const { id, createdAt: startedAt, endedAt } = task
  return { id, network, state, startedAt, endedAt: endedAt ?? undefined, ...task.progress, found }
}
