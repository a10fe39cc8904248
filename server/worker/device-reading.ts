import type { Driver } from '@/server/drivers/driver'
import type { CounterStore } from '@/server/history/counters'
import { type PolledDevice, readingOf } from './polled-device'
import type { ActionName, DeviceReading, InterfaceRate } from './protocol'

const actionsOf = (driver: Driver<unknown>) =>
  (Object.keys(driver.actions) as ActionName[]).filter(name => driver.actions[name] !== undefined)

const known = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? undefined : value)

const ratesOf = ({ keys, rates }: CounterStore): InterfaceRate[] =>
  keys.map((key, at) => ({ key, inBps: known(rates[at * 2]), outBps: known(rates[at * 2 + 1]) }))

/** Everything known of a device at `now`. Rates are those of the last poll, and none while it is not online. */
export function readingFor(entry: PolledDevice, now = Date.now()): DeviceReading {
  return {
    observation: readingOf(entry),
    rates: entry.status === 1 ? ratesOf(entry.counters) : [],
    reverts: entry.driver.reverts,
    actions: actionsOf(entry.driver),
    polls: {
      rounds: entry.rounds,
      answered: entry.answered,
      lastMs: entry.lastMs,
      lastAt: entry.lastAt,
      ...(entry.quietUntil > now && { nextTryAt: entry.quietUntil }),
    },
  }
}
