import { devices } from '@/db/schema'
import { recordClients } from '@/server/devices/clients/record'
import { type Fleet, fleetPart } from '@/server/devices/link/fleet'
import type { Observation, Station } from '@/server/drivers/observation'
import { createClients } from '@/server/worker/clients'
import type { Manager } from '../_manager'

export const station = (mac: string, more: Partial<Station> = {}): Station => ({
  ...{ mac, bss: 'w0', ssid: 'Guests', signalDbm: -50, connectedSeconds: 60 },
  ...more,
})

/** A device that was adopted, by its name; its number is the next one. */
export const addDevice = ({ runtime }: Manager, name: string, driver = 'linux'): void =>
  void runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network: 1, name, address: `192.0.2.${name.slice(-1)}`, port: 22, driver, kind: 'ap' },
      ...{ status: 1, statusAt: Date.now(), createdAt: Date.now(), facts: '{}' },
    } as never)
    .run()

/** The worker's own table of clients, fed by hand, without its thread; `more`: what else devices are asked for. */
export function clientTable(manager: Manager, more: Record<string, (input: never) => unknown> = {}) {
  const table = createClients()
  let now = Date.now()
  const verbs: Record<string, (input: never) => unknown> = {
    clients: (query: never) => table.list(query),
    clientPlaces: (network: never) => table.places(network),
    clientChanges: (after: never) => table.changes(after),
    vendors: () => ({}),
    observeNow: () => undefined,
    ...more,
  }
  const ask = async (name: string, input: never) => verbs[name]?.(input)
  fleetPart.start(manager.runtime, { ask } as unknown as Fleet)
  return {
    table,
    now: () => now,
    /** What a device reads. */
    reads(device: number, seen: Partial<Observation>): void {
      const base = { facts: { kind: 'ap', capabilities: [] }, interfaces: [], bss: [{ key: 'w0', ssid: 'Guests' }] }
      const observation = { takenAt: now, depth: 'full', ...base, ...seen } as unknown as Observation
      table.update({ id: device, network: 1, kind: 'ap' }, observation)
    },
    /** So much later what is new is written down. */
    record(laterMs = 60_000): Promise<void> {
      now += laterMs
      return recordClients(manager.runtime, () => now)
    },
  }
}
