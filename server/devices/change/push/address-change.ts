import { and, eq, ne } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { addEvent } from '@/server/devices/link/states'
import type { NativeConfig, Pending } from '@/server/drivers/driver'
import { type DeploymentRow, isDone, openPart } from '../plan/deployments'
import type { DeviceRow, Engine } from '../plan/plan'

// A push that changes the address by which the manager reaches the device.

/** From where to where; undefined where the manager's way stays, or is another than the device's own address. */
export async function addressChangeOf(
  { transport }: Engine,
  device: DeviceRow,
  before: NativeConfig,
  planned: NativeConfig,
): Promise<Pending['move']> {
  const { move } = await transport.assess({ id: device.id, before, next: planned })
  return move?.from === device.address ? { from: move.from, to: move.to } : undefined
}

/** Another device is managed at that address. */
export const isAddressTaken = ({ runtime }: Engine, device: DeviceRow, address: string): boolean => {
  const there = and(eq(devices.network, device.network), eq(devices.address, address), eq(devices.port, device.port))
  const other = and(there, ne(devices.id, device.id))
  return runtime.db.select({ id: devices.id }).from(devices).where(other).get() !== undefined
}

/** Where the device is reached once a push has ended: at its new address when that was proven, else at its former one. */
export function endAddressChange({ runtime, transport }: Engine, device: DeviceRow, row: DeploymentRow): void {
  const { move } = openPart(runtime, row, 'pending') ?? {}
  if (!move) return
  const address = isDone(row.state) ? move.to : move.from
  if (address !== device.address) {
    runtime.db.update(devices).set({ address }).where(eq(devices.id, device.id)).run()
    addEvent(runtime, device.id, 'addressMoved', { from: device.address, to: address })
  }
  void transport
    .relocate({ id: device.id, address })
    .catch(error => console.error(`device ${device.id} is looked for at its former address:`, error))
}

/** While it is not known whether the device went back: each call looks at the other of its two addresses. */
export function otherAddress({ transport }: Engine, device: DeviceRow, move: Pending['move']): () => Promise<void> {
  let place: 'from' | 'to' = 'to'
  return async () => {
    place = place === 'to' ? 'from' : 'to'
    if (move) await transport.relocate({ id: device.id, address: move[place] })
  }
}
