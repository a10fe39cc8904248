import type { Interface } from '@/server/drivers/observation'

const hourMs = 3_600_000

/** Of a device: how many of its ports tell errors, their sum since its start, and about how many came in the last hour. */
export type PortErrors = { ports: number; total: number; at: number; lately: number }

/**
 * Counts what the chosen interfaces (by index) received and sent in error, both ways together. What came before fades,
 * to a third in an hour; over a restart, a counter set back, or with other ports nothing is added. Undefined: no port tells.
 */
export function countErrors(
  before: PortErrors | undefined,
  interfaces: readonly Interface[],
  chosen: readonly number[],
  at: number,
  fresh: boolean,
): PortErrors | undefined {
  let ports = 0
  let total = 0
  for (const index of chosen) {
    const { inErrors, outErrors } = interfaces[index]?.counters ?? {}
    if (inErrors === undefined && outErrors === undefined) continue
    ports++
    total += (inErrors ?? 0) + (outErrors ?? 0)
  }
  if (ports === 0) return undefined
  if (!before) return { ports, total, at, lately: 0 }
  const comparable = !fresh && before.ports === ports && total >= before.total
  const faded = before.lately * Math.exp((before.at - at) / hourMs)
  return { ports, total, at, lately: faded + (comparable ? total - before.total : 0) }
}
