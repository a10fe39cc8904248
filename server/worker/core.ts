import { abilitiesOf } from '@/server/drivers/abilities'
import { adoptBlock, assess, sayable, uplinks } from '@/server/drivers/assess'
import { DeviceError, type Driver, ofPlan } from '@/server/drivers/driver'
import { driverOf } from '@/server/drivers/registry'
import { fingerprint } from '@/server/drivers/ssh/ssh'
import { type HistoryStore, openHistory } from '@/server/history/history'
import { networkSeries, queryHistory } from '@/server/history/query'
import { createClients } from './clients'
import { type DeviceVerbs, deviceVerbs, type OnDevice } from './device-verbs'
import { closeSession, type Entry, enqueue, readingOf, withSession } from './entry'
import { identify } from './identify'
import { within } from './limits'
import { liveTable } from './live'
import { planOrWhy, readingsOf, renderFor, renderInput } from './plans'
import { createPoller } from './poller'
import type {
  ActionInput,
  ActionName,
  CallName,
  DeviceReading,
  ProgressOf,
  StateChange,
  WorkerApi,
  WorkerData,
} from './protocol'
import { type Probes, sweep } from './sweep'
import { networkSample, trafficOf } from './traffic'

type Returned<K extends CallName> = ReturnType<WorkerApi[K]>
/** The worker's whole life but for its port: the calls, and the work by the clock. */
export type Core = {
  calls: {
    [K in CallName]: (
      input: Parameters<WorkerApi[K]>[0],
      progress: (value: ProgressOf<K>) => Promise<void>,
    ) => Returned<K> | Promise<Returned<K>>
  }
  run(): void
}

export type CoreOptions = WorkerData & {
  onStates(states: StateChange[]): void
  onTrouble(what: string): void
  drivers?: (id: Driver<unknown>['id']) => Driver<unknown>
  probes: Probes
  pollMs?: number
}

const identifyMs = 60_000
const fingerprintMs = 15_000
const quickMs = 60_000
/** A push uploads, applies and restarts services. */
const pushMs = 180_000

const actionsOf = (driver: Driver<unknown>) =>
  (Object.keys(driver.actions) as ActionName[]).filter(name => driver.actions[name] !== undefined)

function readingFor(entry: Entry): DeviceReading {
  const { keys, rates } = entry.counters
  const known = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? undefined : value)
  const now = Date.now()
  return {
    observation: readingOf(entry),
    rates:
      entry.status === 1
        ? keys.map((key, at) => ({ key, inBps: known(rates[at * 2]), outBps: known(rates[at * 2 + 1]) }))
        : [],
    reverts: entry.driver.reverts,
    actions: actionsOf(entry.driver),
    polls: {
      rounds: entry.rounds,
      answered: entry.answered,
      lastMs: entry.lastMs,
      lastAt: entry.lastAt,
      ...(entry.quietUntil > now && { nextTryAt: entry.quietUntil }),
    },
  }
}

function unsupported(detail: string): never {
  throw new DeviceError('unsupported', detail)
}

async function act(driver: Driver<unknown>, session: unknown, input: ActionInput): Promise<void> {
  const { reboot, locate, setLogin } = driver.actions
  if (input.name === 'reboot' && reboot) return reboot.call(driver.actions, session)
  if (input.name === 'locate' && locate) return locate.call(driver.actions, session, input.seconds)
  if (input.name === 'setLogin' && setLogin) return setLogin.call(driver.actions, session, input.login)
  unsupported(`no ${input.name}`)
}

/** Joins what is told of a device within a second. */
function newsBox(send: (states: StateChange[]) => void) {
  let held = new Map<number, StateChange>()
  return {
    tell(change: Partial<StateChange> & { id: number }) {
      const before = held.get(change.id)
      const events = [...(before?.events ?? []), ...(change.events ?? [])]
      held.set(change.id, { at: Date.now(), status: 3, reason: '', ...before, ...change, events })
    },
    send() {
      if (!held.size) return
      const states = [...held.values()]
      held = new Map()
      send(states)
    },
  }
}

/** Devices are polled whatever the disk does: without a place for history it is kept in memory until the next start. */
function historyAt({ historyFile, onTrouble }: CoreOptions): HistoryStore {
  try {
    return openHistory(historyFile, onTrouble)
  } catch (error) {
    onTrouble(`historyNotOpened: ${(error as Error).message}`)
    return openHistory(':memory:', onTrouble)
  }
}

export function createCore(options: CoreOptions): Core {
  const live = liveTable(options.live)
  const minute = options.pollMs ?? 60_000
  const history = historyAt(options)
  const clients = createClients()
  const news = newsBox(options.onStates)
  const books = { live, history, clients, tell: news.tell }
  const poller = createPoller({ drivers: options.drivers ?? driverOf, books, everyMs: minute })
  const sweeps = new Map<string, AbortController>()
  const timers: NodeJS.Timeout[] = []

  /** Work on a device with its session, in its queue, ended after `ms` or at `endBy`. */
  const onDevice = <T>(
    input: { id: number; fresh?: boolean; again?: boolean; endBy?: number },
    ms: number,
    work: (session: unknown, entry: Entry) => Promise<T>,
  ) => {
    const entry = poller.get(input.id)
    return enqueue(entry, () => {
      const left = Math.max(0, (input.endBy ?? Number.POSITIVE_INFINITY) - Date.now())
      return within(Math.min(ms, left), signal => withSession(entry, signal, input, session => work(session, entry)))
    })
  }
  const reading: typeof onDevice = (input, ms, work) => onDevice({ ...input, again: true }, ms, work)

  /** Per network: sums for its chart, and how many clients hang on each device. */
  const networks = (at: number, sample: boolean) => {
    const byNetwork = new Map<number, Entry[]>()
    for (const entry of poller.entries.values()) {
      const own = byNetwork.get(entry.device.network)
      if (own) own.push(entry)
      else byNetwork.set(entry.device.network, [entry])
    }
    for (const [network, entries] of byNetwork) {
      const counted = clients.byDevice(network)
      for (const { device } of entries) {
        const own = counted.get(device.id)
        const countedAt = clients.has(device.id) ? at : undefined
        live.set(device.row, { clients: own?.clients, wifiClients: own?.wifi, countedAt })
      }
      if (sample)
        history.add(networkSeries(network), at, networkSample(entries, minute / 1000, clients.counts(network).total))
    }
  }

  // The types of a table's lines are lost when it is walked; `DeviceVerbs` gives them back, from the same table.
  const verbs = Object.fromEntries(
    Object.entries(deviceVerbs).map(([name, { again, run }]) => [
      name,
      (input: OnDevice) =>
        onDevice(
          { ...input, again },
          quickMs,
          (session, { driver }) => run(driver, session, input as never) as Promise<unknown>,
        ),
    ]),
  ) as unknown as Pick<Core['calls'], keyof DeviceVerbs>

  const calls: Core['calls'] = {
    ...verbs,
    setDevices: devices => poller.set(devices),
    upsert: device => poller.upsert(device),
    remove: id => {
      poller.remove(id)
      history.forget(id)
    },
    fingerprint: ({ address, port }) => within(fingerprintMs, signal => fingerprint(address, port, signal)),
    identify: (target, progress) =>
      within(identifyMs, signal => identify(target, signal, step => void progress({ step }))),
    observeNow: async id => {
      await poller.observeNow(id)
      networks(Date.now(), false)
      return readingFor(poller.get(id))
    },
    reading: id => {
      const entry = poller.entries.get(id)
      return entry && readingFor(entry)
    },
    action: input => onDevice(input, quickMs, (session, { driver }) => act(driver, session, input)),
    render: inputs => inputs.map(input => planOrWhy(() => renderFor(poller.get(input.id), input))),
    assess: ({ id, before, next }) => {
      const entry = poller.get(id)
      const observation = readingOf(entry)
      const fleet = () => readingsOf(poller.entries.values(), entry.device.network)
      return observation
        ? assess(entry.driver, ofPlan(abilitiesOf(entry.device), next, before), next, observation, fleet)
        : { cuts: [], interrupted: [] }
    },
    adopt: ({ id, seen, ...plan }) => {
      const entry = poller.get(id)
      const input = renderInput(entry, plan)
      return seen.map(block => ({
        block: block.id,
        adopted: (input && adoptBlock(entry.driver, input, block)) ?? null,
      }))
    },
    uplinks: network => uplinks(readingsOf(poller.entries.values(), network)),
    equal: ({ driver, pairs }) => {
      const { equal } = (options.drivers ?? driverOf)(driver)
      return pairs.map(([planned, seen]) => equal(planned, seen))
    },
    foreign: input =>
      reading(input, quickMs, async (session, entry) => {
        const { ownership, renderers } = entry.driver
        if (!ownership) return unsupported('nothing to take over')
        return sayable(await ownership.list(session, input.taken), renderers, readingOf(entry)?.facts)
      }),
    propose: ({ id, chosen, all, ...plan }) => {
      const entry = poller.get(id)
      const input = renderInput(entry, plan)
      return input ? entry.driver.renderers.flatMap(one => one.proposes?.(chosen, all, input) ?? []) : []
    },
    push: (input, progress) =>
      onDevice(input, pushMs, (session, { driver }) =>
        driver.push(session, input.before, input.next, input.windowSeconds, {
          pending: pending => progress({ pending }),
          step: step => void progress({ step }),
        }),
      ),
    relocate: ({ id, address }) => {
      const entry = poller.get(id)
      // Behind what runs: a session is not closed under it.
      return enqueue(entry, async () => {
        if (entry.device.target.address === address) return
        closeSession(entry)
        entry.device = { ...entry.device, target: { ...entry.device.target, address } }
      })
    },
    sweep: async (input, progress) => {
      const control = new AbortController()
      sweeps.set(input.id, control)
      try {
        return await sweep(input, options.probes, control.signal, value => void progress(value))
      } finally {
        sweeps.delete(input.id)
      }
    },
    stopSweep: id => sweeps.get(id)?.abort(),
    history: query => queryHistory(history, query),
    clients: query => clients.list(query),
    clientCounts: network => clients.counts(network),
    traffic: network => trafficOf([...poller.entries.values()].filter(entry => entry.device.network === network)),
    neighbours: network => clients.neighbours(network),
    stats: () => ({ ...poller.stats }),
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      poller.stop()
      news.send()
      history.flush()
      history.close()
    },
  }

  return {
    calls,
    run() {
      poller.run()
      timers.push(
        setInterval(() => news.send(), 1000),
        setInterval(() => networks(Date.now(), false), 10_000),
        setInterval(() => networks(Date.now(), true), minute),
        setInterval(() => history.flush(), minute),
        setInterval(() => void history.tidy(Date.now()).catch(error => options.onTrouble(String(error))), 5 * minute),
      )
      void history.tidy(Date.now()).catch(error => options.onTrouble(String(error)))
    },
  }
}
