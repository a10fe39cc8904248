// push-child DATA WINDOW [DEVICE…]: a manager without pages that pushes to each of these devices, or only settles what an
// earlier one left behind. Two people ask for each push at once: the second is refused. Prints `DEVICE STATE STEP` at
// every change, and `DEVICE reverting` when it asks a device to go back; ends when all have ended, unless it is killed.

import { findDeployment, inState, runningStates } from '@/server/devices/change/plan/deployments'
import { type ChangeTransport, changeTransport } from '@/server/devices/change/plan/transport'
import { startPush } from '@/server/devices/change/push/batch'
import { startChange } from '@/server/devices/change/start'
import { fleetOf } from '@/server/devices/link/fleet'
import { readConfig } from '@/server/kernel/config'
import { type Runtime, startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { fleetInProcess } from '../server/_fleet'
import { breakable } from './breakable'

const [data = '', confirmSeconds = '20', ...words] = process.argv.slice(2)
const env = { LANWARD_DATA: data, LANWARD_ROOT: process.cwd(), LANWARD_CONF: '/nonexistent', LANWARD_SETUP_CODE: 'off' }
const say = (line: string) => process.stdout.write(`${line}\n`)

function transportOf(runtime: Runtime): ChangeTransport {
  const transport = changeTransport(fleetOf(runtime))
  const revert: ChangeTransport['revert'] = (input, onProgress) => {
    say(`${input.id} reverting`)
    return transport.revert(input, onProgress)
  }
  // Its functions are made as they are asked for: a copy would have none.
  return new Proxy(transport, { get: (all, name) => (name === 'revert' ? revert : Reflect.get(all, name)) })
}

const runtime = await startRuntime(
  [
    fleetInProcess({ drivers: breakable }),
    async started => {
      await startChange(started, transportOf(started), Number(confirmSeconds))
    },
  ],
  readConfig(env),
)
let said = ''
runtime.bus.on(({ topic, id }) => {
  const row = topic === 'push' ? findDeployment(runtime.db, String(id)) : undefined
  const line = row ? `${row.device} ${row.state} ${row.step}` : said
  if (line !== said) say(line)
  said = line
})
for (const device of words.map(Number)) {
  const push = () => startPush(runtime, [device], 'soak', { cut: [device] })
  push()
  try {
    push()
    say(`${device} taken twice`)
  } catch {
    say(`${device} refused twice`)
  }
}
while (inState(runtime.db, [...runningStates]).length) await new Promise(done => setTimeout(done, 100))
await stopRuntime()
process.exit(0)
