import { indexedDevices } from '@/server/devices/inventory/device-index'
import type { Runtime } from '@/server/kernel/runtime'
import type { RecordRow } from '@/server/worker/intake/record-search'
import { type Holder, holdersOf } from './names'

/** A record with what the manager knows now of its client and its gateway. */
export type ShownRecord = Omit<RecordRow, 'device' | 'seq' | 'client'> & {
  /** null: it is gone from the network. */
  device: { id: number; name: string } | null
  client: { address: string } & Partial<Holder>
}

export function shownRecords(runtime: Runtime, network: number, records: readonly RecordRow[]): ShownRecord[] {
  const names = new Map(indexedDevices(runtime, network).map(({ id, name }) => [id, name]))
  const holders = holdersOf(runtime, network, [...new Set(records.map(one => one.client))])
  return records.map(({ device, seq: _, client, ...record }) => {
    const name = names.get(device)
    return {
      ...record,
      device: name === undefined ? null : { id: device, name },
      client: { address: client, ...holders.get(client) },
    }
  })
}
