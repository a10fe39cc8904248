// push-child DATA WINDOW [DEVICE…]: a manager without pages that pushes to these devices, or only settles what an
// earlier one left behind. Prints `DEVICE STATE STEP` at every change; ends when all have ended, unless it is killed.

import { startPush } from '@/server/change/batch'
import { findDeployment, inState, runningStates } from '@/server/change/deployments'
import { startChange } from '@/server/change/start'
import { fleetOf } from '@/server/fleet/fleet'
import { changeTransport } from '@/server/fleet/transport'
import { readConfig } from '@/server/kernel/config'
import { startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { fleetInProcess } from '../server/_fleet'

const [data = '', windowSeconds = '20', ...devices] = process.argv.slice(2)
const env = { LANWARD_DATA: data, LANWARD_ROOT: process.cwd(), LANWARD_CONF: '/nonexistent', LANWARD_SETUP_CODE: 'off' }
const runtime = await startRuntime(
  [
    fleetInProcess(),
    async started => {
      await startChange(started, changeTransport(fleetOf(started)), Number(windowSeconds))
    },
  ],
  readConfig(env),
)
let said = ''
runtime.bus.on(({ topic, id }) => {
  const row = topic === 'push' ? findDeployment(runtime.db, String(id)) : undefined
  const line = row ? `${row.device} ${row.state} ${row.step}` : said
  if (line !== said) process.stdout.write(`${line}\n`)
  said = line
})
if (devices.length) startPush(runtime, devices.map(Number), 'soak')
while (inState(runtime.db, [...runningStates]).length) await new Promise(done => setTimeout(done, 100))
await stopRuntime()
process.exit(0)
