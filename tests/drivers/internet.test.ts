// What is made of uplinks is in golden/*/internet; here is what follows from it.
import { internetRenderer as linux } from '@/server/drivers/linux/internet/internet'
import { planPush } from '@/server/drivers/linux/push'
import { pppoeLink } from '@/server/drivers/linux/uplinks/wan-links'
import { planPush as planUci } from '@/server/drivers/openwrt/push'
import { made } from './_golden'

test('Linux: a login over PPPoE is pushed with its options, and its service is started', () => {
  const { files, settle } = planPush('1', { blocks: [] }, made('linux/internet/07-pppoe'), 60)
  expect(files).toContain('/etc/lanward/pppoe-wan7-eth3.conf')
  expect(settle).toContain('lanward-pppoe@wan7-eth3.service')
  expect(pppoeLink('enp12s0f1np1')).toMatch(/^pppoe-[0-9a-f]{8}$/)
})

test('Linux: a DMZ host gets the manager’s own connection too, which is told', () => {
  const interfaces = ['eth0', 'eth3', 'eth4'].map(name => ({ key: name, name, type: 'ethernet' as const }))
  const cuts = (name: string) =>
    linux.cuts?.({ blocks: [] }, made('linux/internet/09-dmz'), {
      ...{ takenAt: 0, depth: 'full' as const, interfaces },
      path: { peer: '192.0.2.1', local: '203.0.113.2', interface: name, service: 22 },
    })
  expect(cuts('eth0')).toMatchObject([{ code: 'dmz', kind: 'wan', document: 'a' }])
  expect(cuts('eth4')).toEqual([])
})

test('OpenWrt: our rules of mwan3 go before its own', () => {
  const watch = made('openwrt/internet/02-mwan3').blocks.filter(block => block.id.startsWith('uci:mwan3.'))
  const plan = planUci('id', { blocks: [] }, { blocks: watch }, 60)
  expect(plan.writes[0]?.text).toContain("add_list mwan3.lw_ways.use_member='lw_member3'\n")
  expect(plan.writes[0]?.text).toMatch(/reorder mwan3\.lw_all=0\n$/)
})

test('OpenWrt: a push of uplinks writes the network and the firewall', () => {
  const { files } = planUci('id', { blocks: [] }, made('openwrt/internet/01-uplinks'), 60)
  expect(files).toEqual(['/etc/config/network', '/etc/config/firewall'])
})
