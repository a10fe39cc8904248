import type { alerts } from '@/db/schema'
import type { Standing } from './causes'
import type { Parent } from './wiring'

// Alerts of other types that tell of a device's failure from beside it: the port that it hangs at, its own way out.

type Field = 'type' | 'values' | 'tellAt' | 'told' | 'parent' | 'maintenance'
type Beside = Pick<typeof alerts.$inferSelect, Field> & { device: number }

/** Types that may be told of a device that is about to be noticed as offline. */
export const besideTypes = ['portDown', 'wanOffline'] as const

/**
 * Whose failure an alert may be part of: devices that hang at the port that is down, or the gateway itself. One that
 * people were told of stands for itself.
 */
export function concerned({ type, device, values, told }: Beside, parents: ReadonlyMap<number, Parent>): number[] {
  if (told !== null) return []
  if (type !== 'portDown') return [device]
  const { port } = JSON.parse(values) as { port?: string }
  return [...parents].flatMap(([child, at]) => (at.parent === device && at.port === port ? [child] : []))
}

/** It waits for a device's failure that did not come: all concerned have answered since it began. `waitMs`: how long it waits. */
export function isAlone(
  { tellAt, parent, maintenance }: Beside,
  devices: readonly number[],
  standings: ReadonlyMap<number, Standing>,
  waitMs: number,
): boolean {
  if (tellAt === null || parent !== null || maintenance !== null || devices.length === 0) return false
  return devices.every(id => {
    const one = standings.get(id)
    return one && !one.down && (one.seenAt ?? 0) > tellAt - waitMs
  })
}
