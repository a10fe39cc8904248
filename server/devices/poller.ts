import { connect } from 'node:net'
import { DeviceError, type Driver, type Reason } from './driver'
import { closeSession, type Entry, enqueue, newEntry, openSession } from './entry'
import { type Lane, lane } from './lanes'
import { reasonOf, within } from './limits'
import type { DeviceEvent, DeviceStatus, DriverId, ManagedDevice, PollStats, StateChange } from './protocol'
import { type Books, record } from './record'

/** How the minute is cut; each device has its own slice of it. */
const slots = 600
/** Spreads consecutive numbers evenly: 367 shares no factor with 600. */
const spread = 367

export type PollerOptions = {
  drivers: (id: DriverId) => Driver<unknown>
  books: Books
  /** Milliseconds from poll to poll. */
  everyMs?: number
  fullEveryMs?: number
  /** Bounds of polls at a time: healthy ones, and those that were slow or silent, apart for each protocol. */
  widths?: Record<'snmp' | 'ssh', { healthy: number; slow: number }>
  /** Idle SSH logins that are kept open; the rest log in anew for each poll. */
  idleLogins?: number
}

const defaults = {
  everyMs: 60_000,
  fullEveryMs: 300_000,
  widths: { snmp: { healthy: 192, slow: 128 }, ssh: { healthy: 32, slow: 32 } },
  idleLogins: 300,
}
/** Longest poll: a device slower than this is not polled, it is waited for. */
const pollLimitMs = 50_000
const slowMs = 10_000
const quietFirstMs = 120_000
const quietMostMs = 1_800_000
const tcpMs = 5_000
/** A device counts as offline after this many polls without an answer. */
const missesToOffline = 2
/** How often `seen_at` is written for a device that only goes on answering. */
const seenEveryMs = 3_600_000
/** After these, to log in again soon helps nothing and may lock the account: the next login waits. */
const stubborn: ReadonlySet<Reason> = new Set([
  'hostKeyUnknown',
  'hostKeyChanged',
  'credentials',
  'noView',
  'unsupported',
  'malformed',
  'tooLarge',
  'commandFailed',
  'internal',
])

/** Whether something takes a TCP connection there; rejects with the reason when not. */
function tcpAnswers(address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    const end = (error?: DeviceError) => {
      clearTimeout(timer)
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    const timer = setTimeout(() => end(new DeviceError('timeout')), tcpMs)
    socket.once('connect', () => end())
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(
        new DeviceError(
          error.code === 'ECONNREFUSED' ? 'refused' : /UNREACH/.test(error.code ?? '') ? 'noRoute' : 'timeout',
        ),
      ),
    )
  })
}

type News = Partial<Pick<StateChange, 'facts' | 'events'>>

export function createPoller(options: PollerOptions) {
  const { drivers, books } = options
  const { everyMs = defaults.everyMs, fullEveryMs = defaults.fullEveryMs } = options
  const { widths = defaults.widths, idleLogins = defaults.idleLogins } = options
  const entries = new Map<number, Entry>()
  const wheel: Set<Entry>[] = Array.from({ length: slots }, () => new Set())
  const lanes: Record<string, Lane> = {
    'snmp healthy': lane(widths.snmp.healthy),
    'snmp slow': lane(widths.snmp.slow),
    'ssh healthy': lane(widths.ssh.healthy),
    'ssh slow': lane(widths.ssh.slow),
  }
  const stats: PollStats = { devices: 0, rounds: 0, answered: 0, late: 0, running: 0 }
  let timer: NodeJS.Timeout | undefined
  let ticks = 0

  const laneOf = (entry: Entry): Lane => {
    const slow = entry.slow || entry.status === 0 || entry.missed > 0
    return lanes[`${entry.driver.protocol} ${slow ? 'slow' : 'healthy'}`] as Lane
  }

  /** Keeps what the device said of its state; news go to main. */
  function settle(entry: Entry, reason: Reason | '', news: News = {}): void {
    const at = Date.now()
    const status = statusAfter(entry)
    const turned = status !== entry.status
    const events = [...(news.events ?? []), ...(turned ? [turn(at, status, reason)] : [])]
    if (turned && status === 0) silence(entry)
    const said = reason !== entry.reason || events.length > 0 || news.facts !== undefined
    Object.assign(entry, { status, reason })
    const hourly = status === 1 && entry.missed === 0 && at - (entry.seenAt ?? 0) > seenEveryMs
    if (!said && !hourly) return
    if (entry.missed === 0) entry.seenAt = at
    books.tell({ ...news, id: entry.device.id, at, status, reason, events, seenAt: entry.seenAt })
  }

  /** What an offline device said is no longer true. */
  function silence(entry: Entry): void {
    books.clients.drop(entry.device.id)
    books.live.clear(entry.device.row, ['seenAt'])
    entry.fullAt = 0
  }

  function answered(entry: Entry, reason: Reason | '' = '', news: News = {}): void {
    entry.missed = 0
    entry.answered++
    stats.answered++
    settle(entry, reason, news)
  }

  function missed(entry: Entry, error: unknown): void {
    closeSession(entry)
    const { reason } = reasonOf(error)
    // Removed, or everything stopped, while it was polled: how that ended is nobody's business.
    if (reason === 'cancelled' || entry.gone) return
    entry.missed++
    // Rates would be averages over the gap, and a restart in it would go unseen.
    entry.counters.at = 0
    books.history.add(entry.device.id, Date.now(), { answered: false })
    settle(entry, reason)
  }

  function backOff(entry: Entry, quietFor: Entry['quietFor']): void {
    entry.quietFor = quietFor
    entry.quietMs = Math.min(quietMostMs, entry.quietMs ? entry.quietMs * 2 : quietFirstMs)
    entry.quietUntil = Date.now() + entry.quietMs
  }

  /** Only asks whether it is there: the one GET of SNMP, a TCP connection for SSH. */
  async function ping(entry: Entry, signal: AbortSignal): Promise<void> {
    const { address, port } = entry.device.target
    if (entry.driver.protocol === 'ssh') return tcpAnswers(address, port)
    await openSession(entry, signal, true)
  }

  async function read(entry: Entry, signal: AbortSignal, depth: 'counters' | 'full'): Promise<void> {
    const reused = entry.session !== undefined
    const session = await openSession(entry, signal)
    const seen = await entry.driver.observe(session, depth).catch(error => {
      // The pooled session may have died since; and a device that just let us in is there, whatever its tables do.
      closeSession(entry)
      if (reused || entry.gone) throw error
      backOff(entry, 'walk')
      answered(entry, reasonOf(error).reason)
      books.history.add(entry.device.id, Date.now(), { answered: true })
      return undefined
    })
    if (entry.gone) return closeSession(entry)
    if (!seen) return
    entry.quietMs = 0
    entry.quietUntil = 0
    const news = record(entry, seen, books)
    answered(entry, seen.problems?.length ? entry.reason : '', news)
  }

  async function poll(entry: Entry, depth?: 'full'): Promise<void> {
    const began = Date.now()
    entry.rounds++
    stats.rounds++
    try {
      await within(pollLimitMs, async signal => {
        if (!depth && began < entry.quietUntil) {
          await ping(entry, signal)
          if (entry.quietFor === 'walk') answered(entry, entry.reason)
          else missed(entry, new DeviceError(entry.reason || 'credentials'))
          return
        }
        await read(entry, signal, depth ?? (began - entry.fullAt >= fullEveryMs ? 'full' : 'counters'))
      })
    } catch (error) {
      // To connect by SNMP is the one GET: it is never held back.
      if (entry.driver.protocol === 'ssh' && stubborn.has(reasonOf(error).reason)) backOff(entry, 'login')
      missed(entry, error)
    }
    entry.lastMs = Date.now() - began
    entry.lastAt = began
    entry.slow = entry.lastMs > slowMs
    if (entry.driver.protocol === 'ssh' && loginsOpen() > idleLogins) closeSession(entry)
  }
  const loginsOpen = () => {
    let open = 0
    for (const entry of entries.values()) if (entry.session && entry.driver.protocol === 'ssh') open++
    return open
  }

  /** Queues a poll unless the device is busy with an earlier one or with a person's work. */
  function start(entry: Entry): void {
    if (entry.pending > 0) {
      stats.late++
      return
    }
    stats.running++
    void enqueue(entry, () => laneOf(entry).run(() => (entry.gone ? Promise.resolve() : poll(entry))))
      .catch(error => console.error(`poll of device ${entry.device.id}:`, error))
      .finally(() => {
        stats.running--
      })
  }

  function tick(startedAt: number): void {
    const due = Math.floor((Date.now() - startedAt) / (everyMs / slots))
    // After a stop of the whole machine each device is polled once, not once for every minute missed.
    if (due - ticks > slots) ticks = due - slots
    for (; ticks < due; ticks++) for (const entry of wheel[ticks % slots] ?? []) start(entry)
  }

  function add(device: ManagedDevice): Entry {
    const entry = newEntry(device, drivers(device.driver), (device.id * spread) % slots)
    entries.set(device.id, entry)
    wheel[entry.slot]?.add(entry)
    stats.devices = entries.size
    return entry
  }
  function remove(id: number): void {
    const entry = entries.get(id)
    if (!entry) return
    entries.delete(id)
    entry.gone = true
    wheel[entry.slot]?.delete(entry)
    stats.devices = entries.size
    closeSession(entry)
    books.clients.drop(id)
  }

  return {
    stats,
    entries: entries as ReadonlyMap<number, Entry>,
    get: (id: number): Entry => {
      const entry = entries.get(id)
      if (!entry) throw new DeviceError('internal', `no device ${id}`)
      return entry
    },
    /** All devices at once, at start: each is polled in its own part of the first minute. */
    set(devices: readonly ManagedDevice[]): void {
      for (const id of [...entries.keys()]) remove(id)
      for (const device of devices) add(device)
    },
    /** Adds or changes one; it is polled at once. What is known of it stays when only its name or place changed. */
    upsert(device: ManagedDevice): void {
      const held = entries.get(device.id)
      const same = held && held.device.driver === device.driver && sameTarget(held, device)
      if (held && same) held.device = device
      else {
        if (held) remove(device.id)
        start(add(device))
      }
    },
    remove,
    /** A full reading now, queued behind what runs. Rejects with the reason when the device does not answer. */
    async observeNow(id: number): Promise<void> {
      const entry = entries.get(id)
      if (!entry) throw new DeviceError('internal', `no device ${id}`)
      await enqueue(entry, () => poll(entry, 'full'))
      if (entry.missed > 0) throw new DeviceError(entry.reason || 'timeout')
    },
    run(): void {
      const startedAt = Date.now()
      timer = setInterval(() => tick(startedAt), everyMs / slots)
    },
    stop(): void {
      clearInterval(timer)
      for (const id of [...entries.keys()]) remove(id)
    },
  }
}

const statusAfter = ({ missed, status }: Entry): DeviceStatus =>
  missed === 0 ? 1 : missed >= missesToOffline ? 0 : status

const turn = (at: number, status: DeviceStatus, reason: string): DeviceEvent =>
  status === 1 ? { at, code: 'deviceOnline', values: {} } : { at, code: 'deviceOffline', values: { reason } }

const sameTarget = (held: Entry, device: ManagedDevice) =>
  JSON.stringify(held.device.target) === JSON.stringify(device.target)
