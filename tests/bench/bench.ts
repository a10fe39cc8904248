// npm run bench [-- --devices 10000 --minutes 5 --only fleet|lists|exporter|… --short]: figures of this machine, in one run, written to dist/bench.md. Nothing here passes or fails.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { root, startManager } from '../appliance/_manager'
import { clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { measureAlone } from './alone'
import { measureBundles } from './bundles'
import { measureChange } from './change'
import { measureCharts } from './charts'
import { measureExporter } from './exporter'
import { measureFleet } from './fleet'
import { measureGuests } from './guests'
import { measureHistory } from './history'
import { measureKeys } from './keys'
import { measureLogs } from './logs'
import { measureMonths } from './months'
import { measurePlan } from './plan'
import { measurePrint } from './print'
import { measureRadius } from './radius'
import { measureSignIn } from './sign-in'
import { measureStart } from './start'
import { type Row, tableOf } from './table'
import { measureTopology } from './topology'

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '5' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})
const rows: Row[] = []
const section = async (name: string, measure: () => Promise<Row[]>) => {
  if (values.only && values.only !== name) return
  console.log(`measuring ${name} …`)
  // One section's failure is told in the table and takes no other's figures away.
  rows.push(
    ...(await measure().catch(error => {
      console.error(error)
      return [{ what: name, figure: `failed: ${(error as Error).message.split('\n')[0]}`, aim: '', met: false }]
    })),
  )
}

await section('start', measureStart)
const count = Number(values.devices)
let exporter: number | undefined
await section('exporter', async () => {
  const found = await measureExporter(count)
  exporter = found.exporter
  return found.rows
})
await section('sign-in', measureSignIn)
await section('plan', measurePlan)
await section('change', measureChange)
await section('lists', () => measureAlone(count))
await section('fleet', () => measureFleet({ count, minutes: Number(values.minutes), exporter }))
await section('history', measureHistory)
await section('months', measureMonths)
await section('logs', () => measureLogs(values.short ? 'short' : 'whole'))
await section('guests', measureGuests)
await section('topology', measureTopology)
await section('charts', measureCharts)
await section('radius', measureRadius)
await section('print', measurePrint)

await section('keys', measureKeys)
await section('bundles', async () => {
  const manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  try {
    const client = clientOf(manager.http)
    await prepareWizard(client)
    await client.must('wizard/finish')
    return [
      ...(await measureBundles(manager.http, '', [{ path: '/login', aim: 40 }])),
      ...(await measureBundles(manager.http, client.cookieLine(), [
        { path: '/network/1/dashboard', aim: 130 },
        { path: '/network/1/settings/wifi/form', aim: 125 },
      ])),
    ]
  } finally {
    await manager.stop()
  }
})

const text = `# Measured on ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, ${new Date().toISOString()}\n\n${tableOf(rows)}\n`
mkdirSync(`${root}/dist`, { recursive: true })
writeFileSync(`${root}/dist/bench.md`, text)
console.log(text)
// A section that failed may have left something running.
process.exit(0)
