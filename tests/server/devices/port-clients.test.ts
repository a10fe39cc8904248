import { clientsAt } from '@/server/devices/change/ports/port-clients'
import type { Host } from '@/server/drivers/observation'

const host = (over: Partial<Host>): Host => ({ mac: '02:00:00:00:00:01', port: 'lan1', source: 'both', ...over })

test('a client with two addresses, in two VLANs, is one client of its port', () => {
  const hosts = [
    host({ source: 'fdb', vlan: 20 }),
    host({ address: 'fd00::7', vlan: 1 }),
    host({ address: '10.0.0.7', hostname: 'printer' }),
    host({ mac: '02:00:00:00:00:02' }),
  ]
  expect(clientsAt('lan1', hosts)).toEqual([
    { mac: '02:00:00:00:00:01', address: 'fd00::7', name: 'printer', vlan: 20 },
    { mac: '02:00:00:00:00:02' },
  ])
})

test('who hangs elsewhere, or is known by ARP alone, is not counted', () => {
  expect(clientsAt('lan1', [host({ port: 'lan2' }), host({ source: 'arp', address: '10.0.0.9' })])).toEqual([])
})
