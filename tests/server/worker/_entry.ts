import type { Driver } from '@/server/drivers/driver'
import { openHistory } from '@/server/history/history'
import { createClients } from '@/server/worker/clients'
import { liveTable, newLiveBuffer } from '@/server/worker/live'
import { createNeighborBook } from '@/server/worker/neighbor-book'
import { newPolledDevice, type PolledDevice } from '@/server/worker/polled-device'
import type { ManagedDevice, PollStats, StateChange } from '@/server/worker/protocol'

// A polled device and where its polls are written, without anything that polls it.

const newStats = (): PollStats => ({ devices: 0, rounds: 0, answered: 0, late: 0, running: 0 })

/** A driver that can do nothing but what is given. */
export const driverWith = (parts: Partial<Driver<unknown>> = {}): Driver<unknown> =>
  ({
    id: 'snmp',
    protocol: 'snmp',
    connect: async () => 'session',
    close: () => undefined,
    observe: async (_: unknown, depth: 'counters' | 'full') => ({ takenAt: Date.now(), depth }),
    actions: {},
    renderers: [],
    reverts: 'none',
    ...parts,
  }) as Driver<unknown>

export const device = (id: number, parts: Partial<ManagedDevice> = {}): ManagedDevice => ({
  id,
  row: id,
  network: 1,
  driver: 'snmp',
  kind: 'switch',
  name: `device ${id}`,
  status: 3,
  target: { address: '127.0.0.1', port: 1, credential: { type: 'snmp2c', community: 'public' } },
  ...parts,
})

export const entryWith = (parts: Partial<PolledDevice> = {}, driver = driverWith(), id = 1): PolledDevice => ({
  ...newPolledDevice(device(id), driver, 0),
  ...parts,
})

/** Real tables, in memory; `told` is what main was told. */
export function newLedger() {
  const told: (Partial<StateChange> & { id: number })[] = []
  const live = liveTable(newLiveBuffer())
  const history = openHistory(':memory:', () => undefined)
  const clients = createClients()
  const sinks = {
    live,
    history,
    clients,
    neighbors: createNeighborBook(),
    tell: (change: (typeof told)[number]) => told.push(change),
  }
  return { sinks, stats: newStats(), told }
}
