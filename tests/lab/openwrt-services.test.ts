// What of OpenWrt follows a push: the packet filter, the queues, dnsmasq, cron.
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import { renderAll } from '@/server/drivers/assess'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { verifyDhcp } from '@/server/drivers/openwrt/lan/lan-check'
import { trafficRenderer } from '@/server/drivers/openwrt/system/traffic-logs'
import { lab } from './_lab'
import { ail, begin, document, end, heal, observation, on, push, rules, tables } from './_openwrt-push'

beforeAll(begin)
afterAll(end)

test('a port is copied to the observation port by tc, also after the network began anew; reverted it is not', async () => {
  const ports = ['p3', 'p4'].map((interface_, at) => ({ number: at + 1, interface: interface_, label: interface_ }))
  const interfaces = ports.map(({ label }) => ({
    key: label,
    name: label,
    type: 'ethernet' as const,
    adminUp: true,
    up: true,
  }))
  const checked = check(portProfile, { name: 'Desk', ports: ['p3'], mirrorTo: 'p4', mirrorTraffic: 'in' })
  const document = { id: 'desk', kind: 'portProfile', name: 'Desk', data: 'data' in checked ? checked.data : {} }
  const { blocks, warnings } = renderAll(driver.renderers, {
    ...{ facts: { kind: 'switch', capabilities: ['tc'] }, confirmSeconds: 60, documents: [document] },
    observation: { ...observation, radios: [], interfaces, ports },
  })
  expect(warnings).toEqual([])
  const before = await on(session => driver.read(session))
  const copies = async () => (await lab.sh('sw1', 'tc filter show dev p3 ingress; tc filter show dev p3 egress')).stdout
  expect(await copies()).toBe('')
  const pending = await push({ blocks: [...before.blocks, ...blocks] }, 60)
  expect(await copies()).toMatch(/mirred \(Egress Mirror to device p4\)/)
  expect((await copies()).match(/mirred/g)).toHaveLength(1)
  // What netifd does as an interface comes up.
  await lab.sh('sw1', 'tc qdisc del dev p3 clsact; ACTION=ifup; . /etc/hotplug.d/iface/91-lanward-mirror')
  expect(await copies()).toMatch(/mirred/)
  await on(session => driver.revert(session, pending))
  expect(await copies()).toBe('')
  expect(
    (await lab.sh('sw1', 'tc qdisc show dev p3; ls -A /tmp/lanward-mirror /etc/hotplug.d/iface')).stdout,
  ).not.toMatch(/clsact|91-lanward|^p3/m)
})

test('the log of translated connections is a table in the kernel, and goes with its setting', async () => {
  const { blocks, warnings } = trafficRenderer.render({
    ...{ facts: { kind: 'gateway', capabilities: ['fw4'] }, confirmSeconds: 60, observation },
    documents: [
      document('system', 'system', { syslog: 'udp', syslogHost: '10.77.0.10' }),
      document('wan', 'line', { name: 'Line', interface: 'eth9', connection: 'dhcp', metric: 1 }),
      document('trafficLogs', 'trafficLogs', { natLog: true, lawAccepted: true }),
    ],
    imported: [{ id: 'uci:system.@system[0]', options: { log_ip: null }, about: { type: 'system' } }],
  })
  expect(warnings).toEqual([])
  const before = await on(session => driver.read(session))
  const pending = await push({ blocks: [...before.blocks, ...blocks] }, 60)
  const loaded = (await lab.sh('sw1', 'nft list table inet lanward_traffic')).stdout
  expect([...loaded.matchAll(/log prefix "(.*?)" level debug/g)].map(([, prefix]) => prefix)).toEqual([
    'lanward-nat-in ',
    'lanward-nat-out ',
  ])
  await on(session => driver.confirm(session, pending))
  const off = await push(before, 60)
  await on(session => driver.confirm(session, off))
  expect(await tables()).not.toContain('lanward_traffic')
})

test('blocked clients and limits are tables in the kernel, and go back with the rest', async () => {
  const block = document('blockedClient', 'b', { mac: '02:00:00:00:00:07' })
  const rate = { upload: '1 Mbps', download: '8 Mbps' }
  const limit = document('bandwidthRule', 'l', { name: "It's {slow}", target: 'client', mac: '020000000008', ...rate })
  const schedule = { name: 'Day', weekly: 'mon-fri 08:00-18:00', dates: [{ date: '2026-12-24', times: '10:00-12:00' }] }
  const place = { target: 'address', address: '2001:db8::/64' }
  const segment = document('bandwidthRule', 's', { name: 's', ...place, ...rate, schedule })
  const confirmed = await push(rules(block, limit, segment), 60)
  await on(session => driver.confirm(session, confirmed))
  expect(await tables()).toBe('table inet lanward_blocked\ntable inet lanward_shaping\n')
  expect((await lab.sh('sw1', 'nft list table inet lanward_shaping')).stdout).toMatch(
    /meta time "2026-12-24 10:00:00"-"2026-12-24 11:59:59" .* ip6 saddr 2001:db8::\/64 limit/,
  )
  await on(async session => {
    const seen = await driver.read(session)
    expect(seen.blocks.map(({ id, text }) => ({ id, text }))).toEqual(
      expect.arrayContaining(rules(block, limit, segment).blocks.map(({ id, text }) => ({ id, text }))),
    )
    expect(await driver.selfCheck(session, rules(block, limit, segment))).toEqual([])
  })
  const limited = await push(rules(limit, segment), 60)
  expect(await tables()).toBe('table inet lanward_shaping\n')
  await on(session => driver.revert(session, limited))
  expect((await lab.sh('sw1', 'nft list table inet lanward_blocked')).stdout).toContain('02:00:00:00:00:07')
  await lab.sh('sw1', 'nft delete table inet lanward_blocked')
  expect(await on(session => driver.selfCheck(session, rules(block)))).toMatchObject([{ code: 'firewallDown' }])
  const none = await push(rules(), 60)
  await on(session => driver.confirm(session, none))
  expect(await tables()).toBe('')
  expect((await lab.sh('sw1', 'ls /etc/lanward /lib/upgrade/keep.d')).stdout).not.toContain('.nft')
})

test('a firewall that its owner switched off is not started for a rule', async () => {
  await lab.sh('sw1', '/etc/init.d/firewall stop; : >/etc/firewall-off')
  const block = document('blockedClient', 'b', { mac: '02:00:00:00:00:07' })
  await expect(push(rules(block), 60)).rejects.toMatchObject({ detail: expect.stringContaining('is switched off') })
  expect((await lab.sh('sw1', 'ls /var/run/fw4.state')).stdout).toBe('')
  expect(await tables()).toBe('')
  await lab.sh('sw1', 'rm /etc/firewall-off; /etc/init.d/firewall start')
})

test('a device that takes connections past its rules is known by that', async () => {
  const offloads = () => on(async session => (await driver.facts(session)).capabilities.includes('flowOffload'))
  expect(await offloads()).toBe(false)
  const line = "firewall.@defaults[0].flow_offloading='1'"
  await lab.sh('sw1', `cp /etc/config/firewall /tmp/rules; echo "${line}" >>/etc/config/firewall`)
  expect(await offloads()).toBe(true)
  await lab.sh('sw1', 'cp /tmp/rules /etc/config/firewall')
})

test('a pool is in force once the running dnsmasq was told of it', async () => {
  const name = 'dhcp.lw_lan20'
  const options = ["interface='lw_lan20'", "start='100'", "dhcpv4='server'"].map(option => `${name}.${option}`)
  const blocks = [{ id: `uci:${name}`, kind: 'lan', text: [`${name}=dhcp`, ...options].join('\n') }]
  const host = { id: 'uci:dhcp.lw_lan1_0', kind: 'lan', text: "dhcp.lw_lan1_0=host\ndhcp.lw_lan1_0.ip='10.88.0.7'" }
  const codes = (wanted = blocks) => on(async session => (await verifyDhcp(session, wanted, 0)).map(one => one.code))
  // Not switched on, and none of its files: another server serves.
  await lab.sh('sw1', 'rm -f /etc/init.d/dnsmasq')
  expect(await codes()).toEqual([])
  const file = '/var/etc/dnsmasq.conf.cfg01'
  await lab.sh('sw1', `mkdir -p /var/etc && printf 'port=0\npid-file=/tmp/pools.pid\n' >${file}`)
  expect(await codes()).toEqual(['lanDhcpDown'])
  // Nothing but a reservation was written: the server has to run all the same.
  expect(await codes([host])).toEqual(['lanDhcpDown'])
  // dnsmasq leaves a network out until something is plugged in.
  await lab.sh('sw1', ': >/tmp/unplugged')
  expect(await codes()).toEqual([])
  await lab.sh('sw1', 'rm /tmp/unplugged')
  await lab.sh('sw1', `echo 'dhcp-range=set:lw_lan20,10.88.0.100,10.88.0.150,255.255.255.0,120m' >>${file}`)
  expect(await codes()).toEqual(['lanDhcpDown'])
  expect((await lab.sh('sw1', `dnsmasq -C ${file}`)).stderr).toBe('')
  expect(await codes([...blocks, host])).toEqual([])
  await lab.sh('sw1', `kill $(cat /tmp/pools.pid); rm ${file}`)
})

test('the firewall is read again when the clocks change, by a line of ours in the list of cron', async () => {
  const list = '/etc/crontabs/root'
  const others = '0 4 * * * reboot\n'
  await lab.sh('sw1', `mkdir -p /etc/crontabs; printf '${others}' >${list}`)
  const night = { name: 'Night', weekly: 'mon-sun 22:00-24:00', dates: [] }
  const next = rules(document('wiredRule', 'timed', { name: 'timed', schedule: night }))
  const pending = await push(next, 60)
  await on(async session => {
    const seen = (await driver.read(session)).blocks
    const files = next.blocks.filter(block => block.id.startsWith('file:'))
    expect(files).toHaveLength(3)
    expect(files.map(({ id }) => seen.find(one => one.id === id)?.text)).toEqual(files.map(({ text }) => text))
    await driver.confirm(session, pending)
  })
  expect((await lab.sh('sw1', `cat ${list}`)).stdout).toBe(`${others}1 * * * * sh /etc/lanward/clock.sh # lanward\n`)
  await ail('/etc/init.d/firewall', 'echo "$1" >>/tmp/reloads')
  const system = "printf '#!/bin/sh\\necho zone >>/tmp/reloads\\n' >/etc/init.d/system; chmod 755 /etc/init.d/system"
  await lab.sh('sw1', system)
  const reads = async (zone: string) =>
    (await lab.sh('sw1', `: >/tmp/reloads; TZ=${zone} sh /etc/lanward/clock.sh; cat /tmp/reloads`)).stdout
  // Once after a boot, and then when the offset is another.
  const both = 'zone\nreload\n'
  expect([await reads('AAA-1'), await reads('AAA-1'), await reads('AAA-2')]).toEqual([both, '', both])
  await heal('/etc/init.d/firewall')
  const none = await push(rules(), 60)
  await on(session => driver.confirm(session, none))
  expect((await lab.sh('sw1', `cat ${list}; ls /etc/lanward /lib/upgrade/keep.d`)).stdout).not.toMatch(/clock/)
  expect((await lab.sh('sw1', `cat ${list}; rm ${list}`)).stdout).toBe(others)
})

test('a DHCP server hears of a new network when it is up, and a folder for the boot is made where none is', async () => {
  await lab.sh(
    'sw1',
    'rm -r /etc/uci-defaults; : >/etc/config/network; : >/etc/config/dhcp; : >/tmp/reloads; : >/tmp/asked',
  )
  await lab.in('sw1', ['sh', '-c', 'cat >/etc/init.d/dnsmasq; chmod 755 /etc/init.d/dnsmasq'], {
    input: '#!/bin/sh\necho "$1 $(wc -l </tmp/asked)" >>/tmp/reloads\nexit 1\n',
  })
  // netifd answers a reload before the network is up, as a bridge takes its time.
  await ail(
    '/usr/sbin/ubus',
    `[ "$*" != 'call network.interface.lw_lan20 status' ] || {
  echo >>/tmp/asked; [ $(wc -l </tmp/asked) -gt 2 ] && echo '{ "up": true }' || echo '{ "up": false }'; exit 0
}`,
  )
  const section = (name: string, type: string, ...options: string[]) => ({
    id: `uci:${name}`,
    text: [`${name}=${type}`, ...options.map(option => `${name}.${option}`)].join('\n'),
  })
  const lan = section('network.lw_lan20', 'interface', "proto='static'", "device='br-lw20'", "ipaddr='10.88.0.1'")
  const pool = section('dhcp.lw_lan20', 'dhcp', "interface='lw_lan20'", "dhcpv4='disabled'")
  const pending = await push({ blocks: [lan, pool] }, 60)
  expect((await lab.sh('sw1', 'cat /tmp/reloads; ls /etc/uci-defaults')).stdout).toBe(
    'reload\nreload 3\nzz-lanward-undo\n',
  )
  await on(session => driver.revert(session, pending))
  await heal('/usr/sbin/ubus')
  // What is gone is not waited for.
  expect((await lab.sh('sw1', 'tail -n 1 /tmp/reloads; wc -l </tmp/asked; rm /etc/init.d/dnsmasq')).stdout).toBe(
    'reload 3\n3\n',
  )
})

test('a firewall that follows, and ends with what a script of others ended with, is judged by its own check', async () => {
  const block = document('blockedClient', 'b', { mac: '02:00:00:00:00:07' })
  const fw4 = (code: number) =>
    lab.sh('sw1', `printf '#!/bin/sh\nexit ${code}\n' >/usr/sbin/fw4; chmod 755 /usr/sbin/fw4`)
  await ail('/etc/init.d/firewall', '[ "$1" != reload ] || { /tmp/healthy "$@"; exit 1; }')
  await fw4(1)
  await expect(push(rules(block), 60)).rejects.toMatchObject({ reason: 'commandFailed' })
  expect(await tables()).toBe('')
  await fw4(0)
  const pending = await push(rules(block), 60)
  expect(await tables()).toContain('lanward_blocked')
  await on(session => driver.revert(session, pending))
  await heal('/etc/init.d/firewall')
  await lab.sh('sw1', 'rm /usr/sbin/fw4')
})
