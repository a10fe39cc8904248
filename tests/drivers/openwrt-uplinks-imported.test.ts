import { adoptBlock, renderAll } from '@/server/drivers/assess'
import type { NativeConfig } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { readImported } from '@/server/drivers/openwrt/uci/imported'
import { sectionsOf } from '@/server/drivers/openwrt/uci/sections'
import { changed, commands, former, input, observation, planned, recorded, take, texts } from './_imported'

// Ways to the internet and firewall zones that a router has of its own, once a person took them over.

const seenIn = (text: string, taken: Parameters<typeof readImported>[1]): NativeConfig =>
  readImported(sectionsOf(text), taken)

test('the recorded way out: taken over with its zone nothing is pushed; changed it follows; handed back it is as it was', () => {
  const { taken, documents } = take(recorded, /network\.wan$|zone\[1\]/)
  expect(documents.map(one => one.data)).toEqual([{ name: 'wan', interface: 'eth1', connection: 'dhcp', nat: true }])
  const seen = seenIn(recorded, taken)
  expect(texts(planned(documents, taken))).toEqual(texts(seen))
  expect(commands(seen, planned(documents, taken))).toBe('')
  const fixed = { connection: 'static', address: '198.51.100.7', prefix: 24, gateway: '198.51.100.1' }
  const more = { vlan: 7, dns1: '9.9.9.9', metric: 20, nat: false }
  const next = planned(changed(documents, 'wan', { ...fixed, ...more }), taken)
  expect(commands(seen, next).split('\n')).toEqual([
    "set network.wan.device='eth1.7'",
    "set network.wan.proto='static'",
    "add_list network.wan.dns='9.9.9.9'",
    "set network.wan.gateway='198.51.100.1'",
    "set network.wan.ipaddr='198.51.100.7'",
    "set network.wan.metric='20'",
    "set network.wan.netmask='255.255.255.0'",
    "set firewall.@zone[1].masq='0'",
    '',
  ])
  expect(commands(next, former(taken)).split('\n')).toEqual([
    "set network.wan.device='eth1'",
    'delete network.wan.dns',
    'delete network.wan.gateway',
    'delete network.wan.ipaddr',
    'delete network.wan.metric',
    'delete network.wan.netmask',
    "set network.wan.proto='dhcp'",
    "set firewall.@zone[1].masq='1'",
    '',
  ])
  // The other options of both sections, and every other section, were never named.
  expect(Object.keys(texts(next)).toSorted()).toEqual(['uci:firewall.@zone[1]', 'uci:network.wan'])
})

const wanText = (more: string, zone = "firewall.z.masq='1'") => `network.lan=interface
network.lan.device='br-lan'
network.lan.proto='static'
network.lan.ipaddr='192.168.1.1/24'
network.wan=interface
${more}
firewall.z=zone
firewall.z.name='out'
firewall.z.network='wan' 'wan6'
${zone}
`
const dialled = "network.wan.username='me@isp'\nnetwork.wan.password='it'\\''s \"mine\"'"

test.each<[string, string, object | undefined]>([
  [
    'an address of the provider',
    "network.wan.device='eth1'\nnetwork.wan.proto='dhcp'",
    { connection: 'dhcp', nat: true },
  ],
  [
    'a fixed address',
    "network.wan.device='eth1'\nnetwork.wan.proto='static'\nnetwork.wan.ipaddr='192.0.2.2'\nnetwork.wan.netmask='255.255.255.252'\nnetwork.wan.gateway='192.0.2.1'\nnetwork.wan.dns='9.9.9.9' '1.1.1.1'",
    { connection: 'static', address: '192.0.2.2', prefix: 30, gateway: '192.0.2.1', dns1: '9.9.9.9', dns2: '1.1.1.1' },
  ],
  [
    'an address and its prefix in one',
    "network.wan.device='eth1'\nnetwork.wan.proto='static'\nnetwork.wan.ipaddr='192.0.2.2/30'\nnetwork.wan.gateway='192.0.2.1'",
    { address: '192.0.2.2', prefix: 30 },
  ],
  [
    'a login, in a VLAN',
    `network.wan.device='eth1.7'\nnetwork.wan.proto='pppoe'\n${dialled}\nnetwork.wan.mtu='1480'`,
    { connection: 'pppoe', vlan: 7, user: 'me@isp', password: 'it\'s "mine"', mtu: 1480 },
  ],
  [
    'name servers of its own',
    "network.wan.device='eth1'\nnetwork.wan.proto='dhcp'\nnetwork.wan.peerdns='0'\nnetwork.wan.dns='9.9.9.9'\nnetwork.wan.metric='10'",
    { dns1: '9.9.9.9', metric: 10 },
  ],
  [
    'a login without a password',
    "network.wan.device='eth1'\nnetwork.wan.proto='pppoe'\nnetwork.wan.username='me'",
    undefined,
  ],
  [
    'a fixed address without a router',
    "network.wan.device='eth2'\nnetwork.wan.proto='static'\nnetwork.wan.ipaddr='192.0.2.2/24'",
    undefined,
  ],
  [
    'two addresses',
    "network.wan.device='eth1'\nnetwork.wan.proto='static'\nnetwork.wan.ipaddr='192.0.2.2/24' '192.0.2.3/24'\nnetwork.wan.gateway='192.0.2.1'",
    undefined,
  ],
  ['a mobile network', "network.wan.device='/dev/cdc-wdm0'\nnetwork.wan.proto='qmi'", undefined],
  ['the LAN’s own bridge', "network.wan.device='br-lan.9'\nnetwork.wan.proto='dhcp'", undefined],
])('a way out with %s', (_name, text, fields) => {
  const { items, documents, taken } = take(wanText(text), /wan$|firewall/)
  expect(items.find(one => one.id === 'uci:network.wan')).toMatchObject(
    fields ? { state: 'unmanaged' } : { state: 'unsupported', why: 'interface' },
  )
  if (!fields) return
  expect(documents).toHaveLength(1)
  expect(documents[0]?.data).toMatchObject({ name: 'wan', interface: 'eth1', ...fields })
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
  expect(commands(seenIn(wanText(text), taken), planned(documents, taken))).toBe('')
})

test('what settings cannot say of a way stays as it is, the rest is taken over', () => {
  const text = wanText(
    "network.wan.device='eth1'\nnetwork.wan.proto='dhcp'\nnetwork.wan.dns='2001:db8::1'\nnetwork.wan.mtu='1400'\nnetwork.wan.metric='5000'",
  )
  const { items, documents, taken } = take(text, /network\.wan/)
  const offered = items.find(one => one.id === 'uci:network.wan')?.options.filter(one => one.kind !== undefined)
  expect(offered?.map(one => one.option)).toEqual([
    ...['proto', 'device', 'ipaddr', 'netmask', 'gateway', 'username', 'password', 'service'],
  ])
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
  const other = planned(changed(documents, 'wan', { dns1: '9.9.9.9', metric: 3 }), taken)
  expect(commands(seenIn(text, taken), other)).toBe('')
})

test('from one login to another, and to none: what the former connection was told is taken off', () => {
  const text = wanText(`network.wan.device='eth1'\nnetwork.wan.proto='pppoe'\n${dialled}\nnetwork.wan.ipv6='auto'`)
  const { documents, taken } = take(text, /network\.wan/)
  const to = (data: object) => commands(seenIn(text, taken), planned(changed(documents, 'wan', data), taken))
  expect(to({ user: 'you@isp', password: 'new $(id)' })).toBe(
    "set network.wan.password='new $(id)'\nset network.wan.username='you@isp'\n",
  )
  expect(to({ connection: 'dhcp', dns1: '9.9.9.9' }).split('\n')).toEqual([
    ...['delete network.wan.password', "set network.wan.proto='dhcp'", 'delete network.wan.username'],
    ...["add_list network.wan.dns='9.9.9.9'", "set network.wan.peerdns='0'", ''],
  ])
  expect(to({ connection: 'kept' })).toBe('')
  // The password is never shown.
  expect(texts(former(taken))['uci:network.wan']).toContain("password='\uE000")
})

test('half of a connection is refused, by name, and nothing of it is written', () => {
  const { documents, taken } = take(recorded, /network\.wan$/)
  const half = taken.map(item => ({ ...item, options: { proto: item.options.proto ?? null } }))
  const fixed = { connection: 'static', address: '192.0.2.2', prefix: 24, gateway: '192.0.2.1' }
  const { blocks, warnings } = renderAll(driver.renderers, input(changed(documents, 'wan', fixed), half))
  expect(warnings).toMatchObject([
    { code: 'wanImportedPart', blocks: true, values: { wan: 'wan', options: 'ipaddr, netmask, gateway' } },
  ])
  expect(texts({ blocks })).toEqual(texts(former(half)))
  const left = renderAll(driver.renderers, input(changed(documents, 'wan', { nat: false, ipv6: 'auto' }), taken))
  expect(left.warnings.map(one => one.code)).toEqual(['wanImportedLeft.nat', 'importedWan6'])
})

test('what rests on a way knows it by the interface and the zone that it has', () => {
  const text = wanText(
    "network.wan.device='eth1'\nnetwork.wan.proto='static'\nnetwork.wan.ipaddr='192.0.2.2/24'\nnetwork.wan.gateway='192.0.2.1'",
  )
  const { documents, taken } = take(text, /network\.wan$/)
  const wan = documents[0]?.data
  const blocks = planned(
    [
      ...changed(documents, 'wan', { dmzHost: '192.168.1.9' }),
      {
        id: 'r',
        kind: 'staticRoute',
        name: 'r',
        data: { name: 'r', destination: '10.9.0.0/16', gateway: '192.0.2.9', metric: 1 },
      },
      { id: 'p', kind: 'policyRoute', name: 'p', data: { name: 'p', source: '10.1.0.0/16', wan } },
      { id: 'f', kind: 'wiredRule', name: 'f', data: { name: 'f', from: 'wan', to: 'device', protocol: 'any' } },
    ],
    taken,
  ).blocks
  const found = texts({ blocks })
  expect(found['uci:network.lw_route_r']).toContain("interface='wan'")
  expect(found['uci:network.lw_table_eth1']).toContain("interface='wan'")
  expect(found['uci:firewall.lw_dmz_d0']).toContain("src='out'")
  expect(found['uci:firewall.lw_rule_f_out_device']).toContain("src='out'")
  // No part of ours is made beside the system's.
  expect(Object.keys(found).filter(id => /lw_wan|=zone/.test(`${id} ${found[id]}`))).toEqual([])
})

const guests = (zone: string, more = '') => `network.lan=interface
network.lan.device='br-lan'
network.lan.proto='static'
network.lan.ipaddr='192.168.1.1/24'
network.guest=interface
network.guest.device='br-lan.30'
network.guest.proto='static'
network.guest.ipaddr='192.168.30.1/24'
firewall.@zone[0]=zone
firewall.@zone[0].name='guest'
firewall.@zone[0].network='guest'
firewall.@zone[0].output='ACCEPT'
${zone}
firewall.@zone[1]=zone
firewall.@zone[1].name='wan'
firewall.@zone[1].network='wan'
firewall.@zone[1].masq='1'
firewall.@forwarding[0]=forwarding
firewall.@forwarding[0].src='guest'
firewall.@forwarding[0].dest='wan'
${more}`
const open = "firewall.@zone[0].input='ACCEPT'\nfirewall.@zone[0].forward='ACCEPT'"
const shut = "firewall.@zone[0].input='REJECT'\nfirewall.@zone[0].forward='DROP'"

test.each<[string, string, boolean | undefined]>([
  ['open', guests(open), false],
  ['shut', guests(shut), true],
  ['open in part', guests("firewall.@zone[0].input='ACCEPT'\nfirewall.@zone[0].forward='REJECT'"), undefined],
  ['as the firewall is elsewhere', guests(''), undefined],
  ['of two networks', guests(open).replace("network='guest'", "network='guest' 'other'"), undefined],
  [
    'with a way into the LAN',
    guests(shut, "firewall.f=forwarding\nfirewall.f.src='guest'\nfirewall.f.dest='lan'\n"),
    undefined,
  ],
])('a zone that is %s', (_name, text, isolation) => {
  const { items, documents, taken } = take(text, /guest|zone\[0\]/)
  const zone = items.find(one => one.id === 'uci:firewall.@zone[0]')
  expect(zone).toMatchObject(
    isolation === undefined ? { state: 'unsupported', why: 'zone' } : { state: 'unmanaged', why: 'system' },
  )
  expect(documents.find(one => one.kind === 'lan')?.data.isolation).toBe(isolation ?? false)
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
})

test('a zone is shut and opened by its network’s setting, and what the clients then need is made beside it', () => {
  const shutting = take(guests(open), /zone\[0\]/)
  const isolated = planned(changed(shutting.documents, 'lan', { isolation: true }), shutting.taken)
  expect(commands(seenIn(guests(open), shutting.taken), isolated).split('\n')).toEqual([
    'set firewall.lw_lan30_dhcp=rule',
    "set firewall.lw_lan30_dhcp.name='guest DHCP and DNS'",
    "set firewall.lw_lan30_dhcp.src='guest'",
    "add_list firewall.lw_lan30_dhcp.proto='tcp'",
    "add_list firewall.lw_lan30_dhcp.proto='udp'",
    "set firewall.lw_lan30_dhcp.dest_port='53 67'",
    "set firewall.lw_lan30_dhcp.target='ACCEPT'",
    "set firewall.@zone[0].forward='REJECT'",
    "set firewall.@zone[0].input='REJECT'",
    '',
  ])
  const opening = take(guests(shut), /zone\[0\]/)
  const opened = texts(planned(changed(opening.documents, 'lan', { isolation: false }), opening.taken))
  expect(opened['uci:firewall.@zone[0]']).toBe("firewall.@zone[0].forward='ACCEPT'\nfirewall.@zone[0].input='ACCEPT'")
  expect(opened['uci:firewall.lw_lan30_to_lan']).toMatch(/src='guest'\n.*dest='lan'/)
  expect(opened['uci:firewall.lw_lan30_from_lan']).toMatch(/src='lan'\n.*dest='guest'/)
})

test('a zone without its network’s other part, or by which the manager comes in, is not shut; another LAN no longer reaches one that is', () => {
  const { documents, taken } = take(guests(open), /zone\[0\]|network\.guest/)
  const isolated = changed(documents, 'lan', { isolation: true })
  const halves = [
    taken.filter(item => item.id !== 'uci:firewall.@zone[0]'),
    taken.map(({ options: { forward: _, ...options }, ...item }) => ({ ...item, options })),
  ]
  for (const half of halves) {
    const { blocks, warnings } = renderAll(driver.renderers, input(isolated, half))
    expect(warnings).toMatchObject([{ code: 'lanImportedLeft.isolation' }])
    expect(texts({ blocks })).toMatchObject(texts(former(half.filter(item => /network/.test(item.id)))))
    expect(Object.keys(texts({ blocks })).filter(id => id.includes('lw_'))).toEqual([])
  }
  const networks = [{ name: 'guest', device: 'br-lan.30' }]
  const path = { interface: 'br-lan.30', local: '192.168.30.1', peer: '192.168.30.2' }
  const from = renderAll(driver.renderers, {
    ...input(isolated, taken),
    observation: { ...observation, networks, path },
  })
  expect(from.warnings).toMatchObject([{ code: 'managerInLan', blocks: true }])

  const main = take(recorded, /zone\[0\]/)
  const other = {
    id: 'o',
    kind: 'lan',
    name: 'o',
    data: { name: 'o', vlan: 20, address: '192.168.20.1/24', dhcp: false },
  }
  const reach = (isolation: boolean) =>
    Object.keys(texts(planned([...changed(main.documents, 'lan', { isolation }), other], main.taken))).filter(id =>
      /lw_lan20_(to|from)_/.test(id),
    )
  expect(reach(false)).toEqual([
    ...['uci:firewall.lw_lan20_to_wan', 'uci:firewall.lw_lan20_to_lan', 'uci:firewall.lw_lan20_from_lan'],
  ])
  expect(reach(true)).toEqual(['uci:firewall.lw_lan20_to_wan'])
})

test('a section without a name that is another one now is not the one that was taken over, nor one whose number ours would change', () => {
  const { taken } = take(guests(open), /zone\[0\]/)
  const behind = `firewall.lw_lan20=zone\n${guests(open)}`
  expect(take(behind, /zone/).taken).toEqual([])
  expect(seenIn(guests(open), taken).blocks).toHaveLength(1)
  expect(seenIn(guests(open).replace("name='guest'", "name='things'"), taken).blocks).toEqual([])
})

test('what somebody changed of a way or a zone on the device is taken into its document', () => {
  const text = guests(open) + wanText("network.wan.device='eth1'\nnetwork.wan.proto='dhcp'").split('firewall')[0]
  const { documents, taken } = take(text, /network\.wan$|zone/)
  const adopted = (from: string, to: string) => {
    const seen = seenIn(text.replace(from, to), taken).blocks
    const was = seenIn(text, taken).blocks
    const other = seen.find((block, at) => block.text !== was[at]?.text)
    return other && adoptBlock(driver, input(documents, taken), other)?.map(one => one.fields)
  }
  expect(adopted("proto='dhcp'", "proto='dhcp'\nnetwork.wan.peerdns='0'\nnetwork.wan.dns='9.9.9.9'")).toEqual([
    { dns1: '9.9.9.9' },
  ])
  expect(adopted("wan.device='eth1'", "wan.device='eth1.12'")).toEqual([{ vlan: 12 }])
  expect(adopted("masq='1'", "masq='0'")).toEqual([{ nat: false }])
  expect(adopted(open, shut.replace('DROP', 'REJECT'))).toEqual([{ isolation: true }])
  // Settings cannot say this: it can be put back alone.
  expect(adopted(open, open.replace('ACCEPT', 'REJECT'))).toBeUndefined()
  expect(adopted("proto='dhcp'", "proto='qmi'")).toBeUndefined()
})
