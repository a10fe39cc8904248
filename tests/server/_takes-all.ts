import type { Driver, NativeConfig, Pending } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { Facts, Observation } from '@/server/drivers/observation'

/** Linux' own renderers on a device that takes what it is given; `seen`: what is read of it. */
export function takesAll(seen: () => Partial<Observation> & { facts: Facts }): Driver<unknown> {
  let now: NativeConfig = { blocks: [] }
  return {
    ...(linuxDriver as Driver<unknown>),
    connect: async () => ({}),
    close: () => undefined,
    ping: async () => undefined,
    facts: async () => seen().facts,
    observe: async () => ({ takenAt: Date.now(), depth: 'full', interfaces: [], ...seen() }),
    read: async () => now,
    async push(_session, _before, next, confirmSeconds, events) {
      const pending: Pending = { id: 'p', armedAt: Date.now(), confirmSeconds, driver: 'linux', data: {} }
      await events.pending(pending)
      now = next
      events.step('apply')
      return pending
    },
    confirm: async () => undefined,
    state: async () => 'confirmed',
    selfCheck: async () => [],
  }
}
