// Polls two devices, of which one's driver throws in callbacks that nobody awaits, as a socket's may. Prints how often the
// other was read when it was read five times, and what was told.
import { createPoller } from '@/server/worker/poller'
import { surviveCallbacks } from '@/server/worker/uncaught'
import { device, driverWith, newLedger } from './_entry'

const told: string[] = []
surviveCallbacks(process, {
  tell: what => told.push(what.split('\n')[0] ?? ''),
  end: () => process.exit(3),
})
const ledger = newLedger()
let read = 0
const driver = driverWith({
  connect: async ({ address }) => address,
  async observe(address, depth) {
    if (address === '127.0.0.2') {
      setImmediate(() => {
        throw new Error('in a callback')
      })
      void Promise.reject(new Error('awaited by nobody'))
      throw new Error('in the work itself')
    }
    read++
    return { takenAt: Date.now(), depth }
  },
})
const at = (address: string) => ({ address, port: 1, credential: { type: 'snmp2c' as const, community: 'public' } })
const poller = createPoller({ drivers: () => driver, sinks: ledger.sinks, everyMs: 100 })
poller.set([device(1, { target: at('127.0.0.1') }), device(2, { target: at('127.0.0.2') })])
poller.run()
const look = setInterval(() => {
  if (read < 5) return
  clearInterval(look)
  poller.stop()
  process.stdout.write(JSON.stringify({ read, told: [...new Set(told)].sort() }))
  if (process.argv.includes('--storm'))
    for (let i = 0; i < 60; i++)
      setImmediate(() => {
        throw new Error('again')
      })
  else process.exit(0)
}, 20)
