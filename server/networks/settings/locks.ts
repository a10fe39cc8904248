import type { Data } from '@/model/kind'
import { failFields } from '@/server/kernel/fail'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

// Fields of a device's own settings that the device decides, or does not have. Which these are is known above: whatever
// speaks to devices says it at its start.

/**
 * byDhcp: its lease decides (rule N18). gateway: it has the addresses of its LANs. unable: nothing on it can.
 */
export type Lock = 'byDhcp' | 'gateway' | 'unable'
export type Locks = Readonly<Record<string, Lock>>

export type LockReader = { read(device: number, kind: string): Promise<Locks> }
export const lockReader = part<LockReader>('settingLocks')

/** Of a device's own settings alone: a network's reach others, too. */
export const locksOf = async (runtime: Runtime, kind: string, device: number | undefined): Promise<Locks> =>
  device === undefined ? {} : ((await lockReader.find(runtime)?.read(device, kind)) ?? {})

/** A locked field may keep its value and lose it, and gets no other. */
export function mustBeOpen(locks: Locks, stored: Data, fields: Data): void {
  const wrong = Object.keys(locks).filter(
    key => fields[key] !== undefined && JSON.stringify(fields[key]) !== JSON.stringify(stored[key]),
  )
  if (wrong.length > 0) failFields(Object.fromEntries(wrong.map(key => [key, 'locked' as const])))
}
