import type { RenderInput } from '@/server/drivers/driver'
import { parseFilters } from '@/server/drivers/linux/base/filters'
import { blockedRenderer } from '@/server/drivers/linux/firewall/blocked'
import { firewallRenderer } from '@/server/drivers/linux/firewall/firewall'
import { wirelessRenderer } from '@/server/drivers/linux/firewall/wireless-rules'
import { defaultRoutes } from '@/server/drivers/linux/observe/interfaces'
import { addresses, remark } from '@/server/drivers/unix/nft'

// What is made of rules is in golden/linux/firewall and beside it; here is what follows from it.

const rule = (id: string, data: Record<string, unknown>) => ({
  id,
  kind: 'wiredRule',
  name: String(data.name ?? id),
  data: { name: id, ...data },
})
const lan = { key: 'eth1', name: 'eth1', type: 'ethernet' as const, addresses: ['10.0.0.1/24'] }
const wan = { key: 'eth0', name: 'eth0', type: 'ethernet' as const, addresses: ['10.9.9.2/24'], defaultRoute: true }

function render(documents: RenderInput['documents']) {
  const facts = { kind: 'gateway' as const, capabilities: ['root', 'systemd', 'nftables'] }
  const observation = { takenAt: 0, depth: 'full' as const, interfaces: [lan, wan] }
  return firewallRenderer.render({ facts, observation, documents, confirmSeconds: 90 })
}
test('what a set cannot hold twice is said once', () => {
  const list = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '192.0.2.1', '192.0.2.1/32', '2001:db8::1', '2001:db8::/64']
  expect(addresses(list, 4)).toEqual(['10.0.0.0/8', '192.0.2.1'])
  expect(addresses(list, 6)).toEqual(['2001:db8::/64'])
  expect(addresses(['64:ff9b::192.0.2.1/128', '64:ff9b::c000:0201'], 6)).toEqual(['64:ff9b:0:0:0:0:c000:201/128'])
  expect(addresses(['0.0.0.0/0', '10.1.2.3'], 4)).toEqual(['0.0.0.0/0'])
})

test('a name stays on its line and turns no other text around', () => {
  expect(remark('a\u202Eb\u2028"$(id)` \uE000\\')).toBe('# ab"$(id)` \\')
})

test('chains of somebody else that stop something, ours apart', () => {
  const filters = parseFilters(
    [
      'inet filter input input drop -',
      'inet filter forward forward drop -d',
      'ip docker FORWARD forward accept -j',
      'ip docker DENY - accept -s',
      'ip quiet forward forward accept -j',
      'inet lanward forward forward accept -s',
      'nonsense',
    ].join('\n'),
  )
  expect(filters.filter(one => one.stops).map(one => one.chain)).toEqual([
    'inet filter input',
    'inet filter forward',
    'ip docker FORWARD',
  ])
})

test('default routes, of one way and of several', () => {
  const text =
    'default via 192.0.2.1 dev eth0 \ndefault proto static \\\tnexthop via 1.1.1.1 dev a \\\tnexthop dev b.7\n'
  expect([...defaultRoutes(text)]).toEqual(['eth0', 'a', 'b.7'])
  expect([...defaultRoutes(undefined)]).toEqual([])
})

describe('the manager’s own way', () => {
  const observation = {
    takenAt: 0,
    depth: 'full' as const,
    interfaces: [lan, wan],
    hosts: [{ mac: '02:00:00:00:00:0a', address: '10.0.0.10', source: 'arp' as const }],
    path: { peer: '10.0.0.10', local: '10.0.0.1', interface: 'eth1', port: 'eth1', service: 22 },
  }
  const cutsOf = (...rules: Record<string, unknown>[]) => {
    const documents = rules.map((data, at) => rule(`r${at}`, data))
    return firewallRenderer.cuts?.({ blocks: [] }, { blocks: render(documents).blocks }, observation) ?? []
  }
  const device = { from: 'lan', to: 'device' }

  test.each([
    ['everything to the gateway', [device], 'r0'],
    ['its port', [{ ...device, protocol: 'tcp', ports: '20-25' }], 'r0'],
    ['another port', [{ ...device, protocol: 'tcp', ports: '23,80' }], undefined],
    ['another protocol', [{ ...device, protocol: 'udp' }], undefined],
    ['both protocols, its port', [{ ...device, protocol: 'tcpUdp', ports: '22', action: 'reject' }], 'r0'],
    ['its address', [{ ...device, sources: ['192.0.2.1', '10.0.0.0/28'] }], 'r0'],
    ['another address', [{ ...device, sources: ['10.0.0.11'] }], undefined],
    ['the other version', [{ ...device, sources: ['2001:db8::1'] }], undefined],
    ['its MAC address', [{ ...device, macs: ['02000000000a'] }], 'r0'],
    ['another MAC address', [{ ...device, macs: ['02000000000b'] }], undefined],
    ['from the internet', [{ from: 'wan', to: 'device' }], undefined],
    ['from anywhere', [{ from: 'any', to: 'device' }], 'r0'],
    ['the device’s other address', [{ ...device, destinations: ['10.9.9.2'] }], undefined],
    ['ICMP', [{ ...device, protocol: 'icmp' }], undefined],
    ['an exception before it', [{ ...device, action: 'allow', sources: ['10.0.0.10'] }, device], undefined],
    ['an exception after it', [device, { ...device, action: 'allow', sources: ['10.0.0.10'] }], 'r0'],
    [
      'an exception that leans on the source port',
      [{ ...device, action: 'allow', protocol: 'tcp', sourcePorts: '40000' }, device],
      'r1',
    ],
    [
      'an exception by schedule',
      [{ ...device, action: 'allow', schedule: { name: 'Office', weekly: 'mon-sun 00:00-24:00' } }, device],
      'r1',
    ],
    ['through the gateway', [{ from: 'any', to: 'any' }], undefined],
    ['from the gateway', [{ from: 'device', to: 'any' }], undefined],
  ])('%s', (_name, rules, document) => {
    expect(cutsOf(...rules).map(cut => cut.document)).toEqual(document === undefined ? [] : [document])
  })

  test('is told with the rule’s name, once, and not for a block that stays', () => {
    const { blocks } = render([rule('1', { ...device, name: 'Nobody' })])
    const told = firewallRenderer.cuts?.({ blocks: [] }, { blocks }, observation)
    expect(told).toMatchObject([{ code: 'firewall', values: { rule: 'Nobody', peer: '10.0.0.10' }, document: '1' }])
    expect(firewallRenderer.cuts?.({ blocks }, { blocks }, observation)).toEqual([])
    const { path: _path, ...unknown } = observation
    expect(firewallRenderer.cuts?.({ blocks: [] }, { blocks }, unknown)).toEqual([])
  })
})

describe('port forwards', () => {
  const forward = (id: string, data: Record<string, unknown>) => ({ ...rule(id, data), kind: 'portForward' })

  test('the manager’s own connection from outside is not led elsewhere unseen', () => {
    const path = { peer: '198.51.100.9', local: '10.9.9.2', interface: 'eth0', service: 22 }
    const cuts = (ports: string) => {
      const { blocks } = render([forward('1', { ports, address: '10.0.0.7' })])
      const observation = { takenAt: 0, depth: 'full' as const, interfaces: [lan, wan], path }
      return firewallRenderer.cuts?.({ blocks: [] }, { blocks }, observation)
    }
    expect(cuts('20-22')).toMatchObject([{ code: 'portForward', document: '1', values: { port: 22 } }])
    expect(cuts('2222')).toEqual([])
  })

  test('nor is its own connection from inside, by an address of the other side alone', () => {
    const { blocks } = render([forward('1', { ports: '22', address: '10.0.0.7' })])
    const cuts = (local: string) =>
      firewallRenderer.cuts?.(
        { blocks: [] },
        { blocks },
        {
          takenAt: 0,
          depth: 'full' as const,
          interfaces: [lan, wan],
          path: { peer: '10.0.0.9', local, interface: 'eth1', service: 22 },
        },
      )
    expect(cuts('10.9.9.2')).toMatchObject([{ code: 'portForward', document: '1' }])
    expect(cuts('10.0.0.1')).toEqual([])
  })
})

describe('blocked clients', () => {
  const facts = { kind: 'gateway' as const, capabilities: ['root', 'systemd', 'nftables'] }
  const blocked = (mac: string) => ({ id: mac, kind: 'blockedClient', name: mac, data: { mac } })

  test('the manager’s own MAC address on the list is told', () => {
    const observation = {
      takenAt: 0,
      depth: 'full' as const,
      interfaces: [lan],
      hosts: [{ mac: '02:00:00:00:00:0a', address: '10.0.0.10', source: 'arp' as const }],
      path: { peer: '10.0.0.10', local: '10.0.0.1' },
    }
    const cutsOf = (mac: string) => {
      const { blocks } = blockedRenderer.render({ facts, observation, documents: [blocked(mac)], confirmSeconds: 90 })
      return blockedRenderer.cuts?.({ blocks: [] }, { blocks }, observation)
    }
    expect(cutsOf('02-00-00-00-00-0A')).toMatchObject([{ code: 'blocked', values: { mac: '02:00:00:00:00:0a' } }])
    expect(cutsOf('02:00:00:00:00:0b')).toEqual([])
  })
})

describe('wireless rules', () => {
  const radio = { key: 'wlan0', name: 'wlan0', band: '2g' as const, interface: 'wlan0', bridge: 'br-lan', maxBss: 8 }
  const network = (id: string, data: Record<string, unknown>) => ({
    id,
    kind: 'ssid',
    name: id,
    data: { name: id, security: 'open', ...data },
  })
  const wireless = (id: string, data: Record<string, unknown>) => ({ ...rule(id, data), kind: 'wirelessRule' })
  const renderAp = (documents: RenderInput['documents']) =>
    wirelessRenderer.render({
      facts: { kind: 'ap', capabilities: ['root', 'systemd', 'nftables', 'hostapd', 'wifi'] },
      observation: { takenAt: 0, depth: 'full', interfaces: [lan], radios: [{ ...radio, driver: 'nl80211' }] },
      documents,
      confirmSeconds: 90,
    })

  test('a manager that comes in by the network is not shut out unseen', () => {
    const documents = [network('Office', {}), wireless('1', { name: 'Quiet', protocol: 'tcp', ports: '1-100' })]
    const path = { peer: '10.0.0.10', local: '10.0.0.3', interface: 'br-lan', service: 22 }
    const cutsBy = (port: string) =>
      wirelessRenderer.cuts?.(
        { blocks: [] },
        { blocks: renderAp(documents).blocks },
        {
          takenAt: 0,
          depth: 'full',
          interfaces: [
            { key: 'wlan0', name: 'wlan0', type: 'wifi' },
            { key: 'eth0', name: 'eth0', type: 'ethernet' },
          ],
          path: { ...path, port },
        },
      )
    expect(cutsBy('wlan0')).toMatchObject([{ code: 'firewall', kind: 'wirelessRule', values: { rule: 'Quiet' } }])
    expect(cutsBy('eth0')).toEqual([])
  })
})
