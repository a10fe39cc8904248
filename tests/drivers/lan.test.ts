// What is made of LAN networks is in golden/*/lan; here is what follows from it.
import { configuredBy, readServers } from '@/server/drivers/linux/owners'
import { lanRenderer as openwrt } from '@/server/drivers/openwrt/lan'
import { planPush as planUci } from '@/server/drivers/openwrt/push'
import { made, readCase, render } from './_golden'
import { networkRoles } from './_network-roles'

test('the order of the documents does not change the plan', () => {
  const name = 'linux/lan/10-two'
  const { given } = readCase(name)
  expect(given.documents).toHaveLength(2)
  expect(render('linux/lan', { ...given, documents: given.documents.toReversed() })).toEqual(made(name))
})

test('who configures what, and who serves on every interface', () => {
  expect(configuredBy('index=3 /etc/systemd/network/10 lan.network\nname=eth0 ifupdown\nx\n')).toEqual(
    new Map([
      ['index=3', '/etc/systemd/network/10 lan.network'],
      ['name=eth0', 'ifupdown'],
    ]),
  )
  const users = (name: string, pid: number) => `0.0.0.0:* users:(("${name}",pid=${pid},fd=4))`
  const said = [
    'own 12',
    `UNCONN 0 0 0.0.0.0:53 ${users('unbound', 7)}`,
    `UNCONN 0 0 [::]:53 ${users('unbound', 7)}`,
    `UNCONN 0 0 0.0.0.0:67 ${users('dnsmasq', 12)}`,
    `UNCONN 0 0 0.0.0.0%eth1:67 ${users('dnsmasq', 9)}`,
    `UNCONN 0 0 127.0.0.1:53 ${users('dnsmasq', 9)}`,
  ].join('\n')
  expect(readServers(said)).toEqual([{ port: 53, program: 'unbound' }])
  expect(readServers(undefined)).toBeUndefined()
})

test('OpenWrt: a push touches three files, makes lists of lists, and keeps the order where it counts', () => {
  const pool = {
    ...{ name: 'LAN 20', vlan: 20, address: '192.168.20.1/24' },
    ...{ poolStart: '192.168.20.100', poolEnd: '192.168.20.150' },
  }
  const network = (data: object) =>
    openwrt.render({
      facts: { kind: 'gateway', capabilities: [] },
      observation: { takenAt: 0, depth: 'full', networks: [{ name: 'lan', device: 'br-lan' }], networkRoles },
      documents: [{ id: 'id-20', kind: 'lan', name: 'LAN 20', data: { ...pool, ...data } }],
      windowSeconds: 90,
    })
  const leases = [{ mac: '02:00:00:00:00:01', address: '192.168.20.7', name: 'printer' }]
  const next = network({ isolation: true, leases })
  const plan = planUci('id', network({}), next, 60)
  expect(plan.files).toEqual(['/etc/config/dhcp', '/etc/config/firewall'])
  expect(plan.apply).not.toContain('delete network.')
  expect(plan.apply).toContain('uci -q delete firewall.lw_lan20_to_wan\n')
  const text = plan.writes[0]?.text ?? ''
  expect(text).toContain("add_list firewall.lw_lan20.network='lw_lan20'\n")
  expect(text).toContain("add_list firewall.lw_lan20_dhcp.proto='tcp'\nadd_list firewall.lw_lan20_dhcp.proto='udp'\n")
  expect(text.indexOf('firewall.lw_lan20=zone')).toBeLessThan(text.indexOf('firewall.lw_lan20_to_wan=forwarding'))
  expect(planUci('id', next, next, 60).files).toEqual([])
})
