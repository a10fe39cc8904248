import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { DeviceError, type Driver, isDeviceError, type Reason } from '@/server/drivers/driver'
import type { Interface, Observation } from '@/server/drivers/observation'
import type { CounterStore } from '@/server/history/counters'
import type { PortErrors } from './port-errors'
import type { AlonePorts } from './port-usage'
import type { DeviceStatus, ManagedDevice } from './protocol'
import { emptyCounters } from './rates'
import type { UplinkMemory } from './uplink-state'

/** An SSID that a device broadcasts, and the key of the interface that carries it. */
export type SsidInterface = { ssid: string; key: string }
export type PanelPort = { index: number; label: string }

/** One device in the worker: its queue, its open session, and what is known of it. */
export type PolledDevice = {
  device: ManagedDevice
  driver: Driver<unknown>
  /** Its place in the minute. */
  slot: number
  tail: Promise<unknown>
  /** Work queued or running: a poll is not queued behind it. */
  pending: number
  session?: { value: unknown; usedAt: number }
  /** Forgotten, or stopped with all others. */
  gone: boolean
  status: DeviceStatus
  reason: Reason | ''
  /** Polls in a row without an answer. */
  missed: number
  seenAt?: number
  /** When it last started, by the reading of `toldAt`; both Unix milliseconds. */
  boot?: { at: number; toldAt: number }
  fullAt: number
  /** Walks, or logins by SSH, are not tried before this time; `quietMs` doubles while they go on failing. */
  quietFor: 'login' | 'walk'
  quietUntil: number
  quietMs: number
  /** Its last poll took long or failed: it is polled in the lane of such. */
  slow: boolean
  /** A managed switch says that its port to this device is down; kept until the device answers. */
  cutOff?: CutOff
  counters: CounterStore
  errors?: PortErrors
  /** Ports with one client, as its forwarding table showed last. */
  alone?: AlonePorts
  /** Indexes of the interfaces whose sum is its traffic, and the ones to the internet. */
  traffic: readonly number[]
  wan: readonly number[]
  /** The SSIDs that it broadcasts, with the interface of each. */
  ssids: readonly SsidInterface[]
  /** Interfaces of its front panel by index, with their label; and their last states, in the same order. */
  panel: readonly PanelPort[]
  panelUp: (boolean | undefined)[]
  /** Last readings, packed: thousands of live objects would weigh fifty times as much. */
  full?: Buffer
  latest?: Buffer
  /** As its facts say. */
  hostname?: string
  /** Digest of the facts last told to the main thread. */
  facts: string
  /** States of its ways to the internet as last told. */
  wans?: string
  /** By which they are judged, by key. */
  ways?: ReadonlyMap<string, UplinkMemory>
  rounds: number
  answered: number
  lastMs?: number
  lastAt?: number
}

/** The switch's port that leads to a device. */
export type CutOff = { switch: string; port: string }

export const newPolledDevice = (device: ManagedDevice, driver: Driver<unknown>, slot: number): PolledDevice => ({
  device,
  driver,
  slot,
  tail: Promise.resolve(),
  pending: 0,
  gone: false,
  status: device.status,
  reason: '',
  missed: 0,
  fullAt: 0,
  quietFor: 'walk',
  quietUntil: 0,
  quietMs: 0,
  slow: false,
  counters: emptyCounters(),
  traffic: [],
  wan: [],
  ssids: [],
  panel: [],
  panelUp: [],
  facts: '',
  rounds: 0,
  answered: 0,
})

/** Runs work on a device after all that was asked before: one thing at a time. */
export function enqueue<T>(entry: PolledDevice, work: () => Promise<T>): Promise<T> {
  entry.pending++
  const done = entry.tail.then(work).finally(() => {
    entry.pending--
  })
  entry.tail = done.catch(() => undefined)
  return done
}

export function closeSession(entry: PolledDevice): void {
  const { session } = entry
  entry.session = undefined
  if (!session) return
  try {
    entry.driver.close(session.value)
  } catch {
    // A session that is broken already is closed enough.
  }
}

/** The pooled session, opened when there is none; `fresh` replaces it. Rejects with a DeviceError, `cancelled` once it is gone. */
export async function openSession(entry: PolledDevice, signal: AbortSignal, fresh = false): Promise<unknown> {
  if (fresh) closeSession(entry)
  if (!entry.session) {
    if (entry.gone) throw new DeviceError('cancelled')
    const value = await entry.driver.connect(entry.device.target, signal)
    // Nobody would close it.
    if (signal.aborted || entry.gone) {
      entry.driver.close(value)
      throw new DeviceError('cancelled')
    }
    entry.session = { value, usedAt: Date.now() }
  }
  entry.session.usedAt = Date.now()
  return entry.session.value
}

type Use = {
  /** Over a new connection. */
  fresh?: boolean
  /** What only reads is tried once more where the pooled session turns out to be dead, after a boot of the device say. */
  again?: boolean
}

/** Work with the device's session, which is closed when the work fails. */
export async function withSession<T>(
  entry: PolledDevice,
  signal: AbortSignal,
  { fresh = false, again = false }: Use,
  work: (session: unknown) => Promise<T>,
): Promise<T> {
  const pooled = !fresh && entry.session !== undefined
  const session = await openSession(entry, signal, fresh)
  // What it still asks of the device when its time is over ends with its session, and takes no later one along.
  const close = () => {
    if (entry.session?.value === session) closeSession(entry)
  }
  signal.addEventListener('abort', close, { once: true })
  try {
    return await work(session)
  } catch (error) {
    close()
    const dead = pooled && isDeviceError(error) && error.reason === 'closed'
    if (again && dead && !signal.aborted) return withSession(entry, signal, {}, work)
    throw error
  }
}

/** A small window suffices for a few kilobytes, and is quicker to set up than to fill. */
const packing = { level: 1, windowBits: 13, chunkSize: 4096 } as const

/** As bytes of their own: what deflate returns lies in a larger block. */
function pack(seen: Observation): Buffer {
  const packed = deflateRawSync(serialize(seen), packing)
  const own = Buffer.allocUnsafeSlow(packed.length)
  packed.copy(own)
  return own
}
const unpack = (data: Buffer) => deserialize(inflateRawSync(data)) as Observation

export const keepFull = (entry: PolledDevice, seen: Observation): void => {
  entry.full = pack(seen)
  entry.latest = undefined
  if (seen.facts?.hostname) entry.hostname = seen.facts.hostname
  else delete entry.hostname
}
export const keepLatest = (entry: PolledDevice, seen: Observation): void => {
  entry.latest = pack(seen)
}

/**
 * Of a bridge of Open vSwitch, and of what is in it, only a full reading tells: a short one takes it for another kind of
 * interface, or names the datapath. A plan made of that would take the VLANs off its ports.
 */
const laid = (under: Interface, over: Interface | undefined): Interface =>
  over ? { ...under, ...over, type: under.type, ...(under.master !== undefined && { master: under.master }) } : under

/** The last full reading with the counters and states of the latest one over it. */
export function readingOf(entry: PolledDevice): Observation | undefined {
  if (!entry.full) return undefined
  const full = unpack(entry.full)
  if (!entry.latest) return full
  const latest = unpack(entry.latest)
  const byKey = new Map((latest.interfaces ?? []).map(one => [one.key, one]))
  return {
    ...full,
    ...latest,
    facts: full.facts,
    health: latest.health || full.health ? { ...full.health, ...latest.health } : undefined,
    interfaces: full.interfaces?.map(one => laid(one, byKey.get(one.key))) ?? latest.interfaces,
    ports: latest.ports ?? full.ports,
    depth: 'full',
  }
}
