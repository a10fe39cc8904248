import { fleetOf } from '@/server/devices/link/fleet'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

/** Live values from which on pages tell of a device: per cent of its processor and memory, interface errors of the last hour. */
export const high = { cpuPercent: 90, memoryPercent: 90, portErrors: 10 } as const
type Field = keyof typeof high
const fields = Object.keys(high) as Field[]

/** `low`: seen below; a number: so high since then (unix ms); `before`: so high already when it was first looked at. */
type Height = 'low' | 'before' | number
const heights = part<{ of: ReadonlyMap<string, Height> }>('highValues', () => ({ of: new Map() }))
const keyOf = (device: number, field: Field) => `${device} ${field}`

/** What follows from one more look; a value that is not told is as good as never seen. */
export function heightOf(value: number | undefined, bound: number, before: Height | undefined, now: number) {
  if (value === undefined) return undefined
  if (value < bound) return 'low'
  if (typeof before === 'number') return before
  return before === 'low' ? now : 'before'
}

/** Looks at the live values of these devices; what was known of others is forgotten. */
export function noteHigh(runtime: Runtime, devices: readonly number[], now: number): void {
  const { live, rowOf } = fleetOf(runtime)
  const held = heights.of(runtime)
  held.of = new Map(
    devices.flatMap(id =>
      fields.flatMap((field): [string, Height][] => {
        const key = keyOf(id, field)
        const height = heightOf(live.get(rowOf(id), field), high[field], held.of.get(key), now)
        return height === undefined ? [] : [[key, height]]
      }),
    ),
  )
}

/** Since when a value is so high; undefined where nobody saw it begin. */
export function highSince(runtime: Runtime, device: number, field: Field): number | undefined {
  const height = heights.of(runtime).of.get(keyOf(device, field))
  return typeof height === 'number' ? height : undefined
}
