import { clients } from '@/db/schema'
import { startChange } from '@/server/devices/change/start'
import type { Runtime } from '@/server/kernel/runtime'
import { scriptedTransport } from '../_device'
import { finishedWizard, startTestManager } from '../_manager'
import { addDevice, clientTable } from './_clients'

test('a port calls its clients by the names that people gave, or by what they called themselves', async () => {
  const starters = [
    async (runtime: Runtime) => {
      await startChange(runtime, scriptedTransport(new Map()), 25)
    },
  ]
  const manager = await startTestManager({ starters })
  const browser = await finishedWizard(manager)
  addDevice(manager, 'switch1', 'snmp')
  const mac = (last: number) => `00:0a:f7:00:00:0${last}`
  const hosts = [1, 2, 3].map(last => ({ mac: mac(last), port: 'p1', source: 'fdb' as const }))
  const observation = {
    ...{ takenAt: Date.now(), depth: 'full', hosts },
    interfaces: [{ key: 'p1', name: 'p1', type: 'ethernet' }],
    ports: [{ interface: 'p1', label: 'p1', number: 1, media: 'copper' }],
  }
  clientTable(manager, { reading: () => ({ observation }) })
  const row = (last: number, network: number, more: object) => ({
    ...{ network, mac: mac(last), online: true, firstSeenAt: 1, seenAt: 1, wifi: false },
    ...more,
  })
  manager.runtime.db
    .insert(clients)
    .values([row(1, 1, { name: 'Till', hostname: 'pc-7' }), row(2, 1, { hostname: 'printer' })])
    .run()
  const { data } = await browser.post('devices/switch/ports', { deviceId: 1 })
  expect((data.result as { first: object[] }[])[0]?.first).toEqual([
    { mac: mac(1), name: 'Till' },
    { mac: mac(2), name: 'printer' },
    { mac: mac(3) },
  ])
  await manager.stop()
})
