import * as z from 'zod'
import { f } from '@/model/fields'
import { addDeed } from '@/server/devices/clients/known'
import { tellClients } from '@/server/devices/clients/shared'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { addEvent } from '@/server/devices/link/states'
import type { Lease } from '@/server/drivers/observation'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import { type Gateway, gatewaysOf } from './gateways'

// Who was given which address.

export type ShownLease = Lease & { deviceId: number; deviceName: string }

const leasesOf = ({ id, name, address, observation }: Gateway): ShownLease[] =>
  (observation?.leases ?? []).map(lease => ({ ...lease, deviceId: id, deviceName: name || address }))

/** An address by its numbers, so that .9 comes before .10. */
const place = (address: string) =>
  address
    .split('.')
    .map(part => part.padStart(3, '0'))
    .join('.')

const columns: Record<string, (lease: ShownLease) => string | number | undefined> = {
  address: one => place(one.address),
  hostname: one => one.hostname?.toLowerCase(),
  mac: one => one.mac,
  deviceName: one => one.deviceName.toLowerCase(),
  expiresAt: one => one.expiresAt,
}

/** What is not known comes last in both directions. */
function compare(a: string | number | undefined, b: string | number | undefined, direction: number): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  return (a < b ? -1 : a > b ? 1 : 0) * direction
}

const list = call({
  scope: 'network',
  authority: 'settings_lan',
  changes: false,
  path: 'dhcp/leases',
  tag: 'gateways',
  input: z.strictObject(listInput),
  /** DHCP leases of all the network's gateways, as each said last. `static`: the address was set for this MAC address. */
  async run({ runtime, network }, { page, pageSize, search, sort }) {
    const text = search?.trim().toLowerCase() ?? ''
    const has = (value: string | undefined) => value?.toLowerCase().includes(text)
    const rows = (await gatewaysOf(runtime, network.id))
      .flatMap(leasesOf)
      .filter(one => !text || [one.mac, one.address, one.hostname, one.deviceName].some(has))
    const column = columns[sort?.field ?? 'address'] ?? columns.address
    const direction = sort?.direction === 'desc' ? -1 : 1
    rows.sort((a, b) => compare(column?.(a), column?.(b), direction) || a.mac.localeCompare(b.mac))
    return paginate(rows, page, pageSize)
  },
})

const release = call({
  scope: 'network',
  authority: 'settings_lan_edit',
  changes: true,
  path: 'clients/release',
  topics: ['clients', 'devices', 'settings'],
  tag: 'clients',
  changelog: 'entry',
  send: 'once',
  /** The gateway, and what it leased to whom. */
  input: z.strictObject({ deviceId: z.int(), mac: f.mac(), address: f.hostIpv4() }),
  /**
   * Ends a lease, so that its gateway may give the address to somebody else. The client is not told: it goes on using
   * the address until it asks again. Refused while the gateway knows of no such lease.
   */
  async run(context, { deviceId, ...lease }) {
    const { runtime, network, log } = context
    const gateway = (await gatewaysOf(runtime, network.id)).find(one => one.id === deviceId)
    if (!gateway) return fail('deviceNotFound', { id: deviceId })
    const known = gateway.observation?.leases?.some(one => one.mac === lease.mac && one.address === lease.address)
    if (gateway.observation && !known) return fail('leaseNotFound', lease)
    const fleet = fleetOf(runtime)
    await fleet.ask('releaseLease', { id: deviceId, lease }).catch(failDevice)
    runtime.db.transaction(() => {
      const name = `${lease.address} (${lease.mac})`
      addEvent(runtime, deviceId, 'leaseReleased', { address: lease.address, mac: lease.mac })
      addDeed(context, lease.mac, 'released', undefined, { address: lease.address })
      log({ action: 'release', object: 'lease', name })
    })
    tellClients(context)
    await fleet.ask('observeNow', deviceId).catch(failDevice)
    return {}
  },
})

export const leaseCalls = [list, release] as const
