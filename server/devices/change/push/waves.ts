import type { DeviceRow } from '../plan/plan'

type Placed = Pick<DeviceRow, 'id' | 'kind'>

/** How far from the manager a device of a kind usually is, where no neighbour tells. */
const usualDepth: Record<DeviceRow['kind'], number> = { gateway: 0, firewall: 1, switch: 2, other: 3, ap: 3 }
/** Longer ways than this are circles. */
const mostDepth = 32

/**
 * Leaves before the root: devices in groups that may be pushed at once, those farthest from the manager first.
 * `uplinks`: pairs of a device and the managed one that its way to the manager goes through.
 */
export function wavesOf<T extends Placed>(devices: readonly T[], uplinks: readonly [number, number][]): T[][] {
  const parents = new Map(uplinks)
  const kinds = new Map(devices.map(device => [device.id, device.kind]))
  const depth = (id: number, steps = 0): number => {
    const parent = parents.get(id)
    if (parent === undefined || steps > mostDepth) return usualDepth[kinds.get(id) ?? 'switch']
    return depth(parent, steps + 1) + 1
  }
  const waves = new Map<number, T[]>()
  for (const device of devices) {
    const at = depth(device.id)
    waves.set(at, [...(waves.get(at) ?? []), device])
  }
  return [...waves].sort(([a], [b]) => b - a).map(([, wave]) => wave)
}
