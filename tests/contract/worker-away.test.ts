import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { insertCredential } from '@/server/devices/adoption/adopt'
import type { Spawn } from '@/server/devices/link/fleet'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'
import { inProcess } from '../server/_fleet'
import { finishedWizard, type Manager } from '../server/_manager'
import { startWholeManager } from './_whole'

let manager: Manager
/** Ends as soon as it is started, again and again. */
const falling: Spawn = (data, onExit) => {
  const worker = inProcess()(data, onExit)
  setImmediate(() => worker.terminate())
  return worker
}
beforeAll(async () => {
  manager = await startWholeManager(falling)
})
afterAll(() => manager.stop())

/** They end what the rest is asked by, or look for devices in the LAN of whoever runs this. */
const leftOut = /^(logout$|account\/delete|manager\/|sessions\/|devices\/discover|wizard\/discover)/

test('while there is no worker each call that needs one says so, with a code of its own', async () => {
  const browser = await finishedWizard(manager)
  const { runtime } = manager
  const credential = insertCredential(runtime, { organization: 1, network: 1 }, { type: 'snmp2c', community: 'c' })
  const row = { organization: 1, network: 1, address: '127.9.0.1', port: 9, driver: 'snmp', kind: 'switch' } as const
  const { id } = runtime.db
    .insert(devices)
    .values({ ...row, name: 'a', credential, status: 1, statusAt: 1, createdAt: 1 })
    .returning({ id: devices.id })
    .get()
  const inputs = [{}, { id }, { deviceId: id }, { address: '127.9.0.1' }]
  const away: string[] = []
  for (const call of (calls as readonly AnyCall[]).filter(one => !leftOut.test(one.path)))
    for (const input of inputs.filter(one => call.input.safeParse(one).success)) {
      const response = await browser.raw(call.path, { method: 'POST', body: JSON.stringify(input) })
      if (!response.headers.get('content-type')?.startsWith('application/json')) continue
      const { retCode } = (await response.json()) as { retCode: number }
      expect([call.path, retCode]).not.toEqual([call.path, codes.unknownError])
      if (retCode === codes.devicesAway) away.push(call.path)
    }
  expect(away).toEqual(expect.arrayContaining(['clients/list', 'dashboard/bandwidth', 'devices/fingerprint']))
})
