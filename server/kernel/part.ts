import type { Runtime } from './runtime'

/** One thing of an area that lives as long as the process, in the runtime under its name. */
export type Part<T> = {
  /** What was started. Throws with the name of a part that was not. */
  of(runtime: Runtime): T
  /** As `of`; undefined for one that is not started, or has ended. */
  find(runtime: Runtime): T | undefined
  start(runtime: Runtime, value: T): void
  stop(runtime: Runtime): void
}

/**
 * Names a part of the runtime: `const fleet = part<Fleet>('fleet')`. One that is kept in memory alone (counts, sign-ins
 * under way) comes with `make`: the first who asks starts it.
 */
export function part<T extends object | true>(name: string, make?: () => T): Part<T> {
  const find = ({ parts }: Runtime) => parts.get(name) as T | undefined
  const start = ({ parts }: Runtime, value: T) => void parts.set(name, value)
  return {
    find,
    start,
    of(runtime) {
      const value = find(runtime) ?? make?.()
      if (!value) throw new Error(`${name} is not started`)
      start(runtime, value)
      return value
    },
    stop: ({ parts }) => void parts.delete(name),
  }
}
