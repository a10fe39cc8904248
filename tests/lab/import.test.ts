// What the gateway's own files say is taken over into settings, changed there, and handed back; seen from beside it.
import type { ShownItem } from '@/server/devices/change/import/unmanaged'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { managerWithGateway } from './_change'
import { on } from './_device'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWithGateway>>
beforeAll(async () => {
  one = await managerWithGateway()
})
afterAll(() => one?.end())

const eth0 = 'file:/etc/network/interfaces#eth0'
const eth1 = 'file:/etc/systemd/network/10-lan.network#eth1'
const zone = 'file:/etc/localtime'
const log = 'file:/etc/rsyslog.d/10-all.conf#forward'

const list = async () => ((await one.ok('import/list', { deviceId: one.id })).result ?? []) as ShownItem[]
const item = async (id: string) => (await list()).find(each => each.id === id) as ShownItem
const take = (...items: [string, string][]) =>
  one.ok('import/add', { deviceId: one.id, items: items.map(([id, option]) => ({ id, options: [option] })) })
const back = (...items: string[]) => one.ok('import/release', { deviceId: one.id, items })
const planned = async () =>
  ((await one.ok('devices/push/preview', { deviceId: one.id })).blocks as { id: string; action: string }[]).map(
    block => `${block.action} ${block.id}`,
  )
const change = async (kind: 'lan' | 'wan', fields: object) => {
  const [row] = (await one.ok(`settings/${kind}/list`)).result as { id: string }[]
  const { position, changedAt, changedBy, ...whole } = await one.ok(`settings/${kind}/get`, { id: row?.id })
  await one.ok(`settings/${kind}/save`, { ...whole, ...fields })
}

const reachedAt = async () => (await one.ok('devices/info', { id: one.id })).address

const text = async (path: string) => (await lab.in('gw', ['cat', path])).stdout
const onGateway = async (line: string) => (await lab.sh('gw', line)).stdout.trim()
/** The address that a client behind the gateway has on the internet. */
const outside = () => lab.in('c1', ['curl', '-s', '-m', '3', 'http://203.0.113.1/cgi-bin/address'])
const seenAs = (address: string) => until(async () => (await outside()).stdout.trim() === address)

/** All of the way out's addresses are these, and no others. */
const addressedAs = (...addresses: string[]) =>
  until(async () => {
    const shown = await onGateway("ip -o addr show dev eth0 scope global | awk '{ print $4 }'")
    return shown.split('\n').toSorted().join() === addresses.join()
  })

let interfaces: string
let network: string

test('what runs is shown as foreign or unknown, and nothing on the device is changed', async () => {
  interfaces = await text('/etc/network/interfaces')
  network = await text('/etc/systemd/network/10-lan.network')
  expect(await item(eth0)).toMatchObject({
    ...{ area: 'network', label: 'eth0', state: 'unmanaged', why: 'ifupdown' },
    options: [{ option: 'addresses', kind: 'wan', imported: false, value: expect.stringContaining('203.0.113.2/24') }],
  })
  expect(await item(eth1)).toMatchObject({
    state: 'unmanaged',
    options: [{ kind: 'lan', value: 'Address=10.77.0.1/22' }],
  })
  expect(await item(zone)).toMatchObject({
    state: 'unmanaged',
    options: [{ option: 'zone', kind: 'system', field: 'timeZone' }],
  })
  expect(await item('file:/etc/dnsmasq.d/lan.conf')).toMatchObject({ state: 'unsupported', why: 'dnsmasq' })
  expect(await item('nft:inet filter')).toMatchObject({ state: 'unsupported', why: 'nftables' })
  const refused = await one.browser.post('import/add', {
    deviceId: one.id,
    items: [{ id: 'nft:inet filter', options: ['addresses'] }],
  })
  expect(refused.data.fields).toHaveProperty(['items.0.options.0'])
  expect(await text('/etc/network/interfaces')).toBe(interfaces)
})

test('the LAN is taken over without a change, gets another prefix by its setting, and is given back byte for byte', async () => {
  expect(await take([eth1, 'addresses'])).toMatchObject({ items: [eth1], documents: [{ kind: 'lan' }], differs: [] })
  expect(await item(eth1)).toMatchObject({ state: 'managed', why: 'imported', options: [{ imported: true }] })
  expect(await planned()).toEqual([])
  // Nothing was pushed: there is nothing to wait for.
  await back(eth1)
  expect(await item(eth1)).toMatchObject({ state: 'unmanaged', releasing: false })
  await take([eth1, 'addresses'])
  await change('lan', { address: '10.77.0.1/21' })
  expect(await planned()).toEqual([`change ${eth1}`])
  // It is the manager's own way: the address stays, so it holds.
  expect(await one.pushed({ cut: [one.id] })).toMatchObject({ state: 'applied' })
  expect(await text('/etc/systemd/network/10-lan.network')).toBe(network.replace('10.77.0.1/22', '10.77.0.1/21'))
  expect(await onGateway('ip -o -4 addr show dev eth1')).toContain(' 10.77.0.1/21 ')
  // Another address: the manager follows it, and back.
  await change('lan', { address: '10.77.3.21/21' })
  expect((await one.ok('devices/push/preview', { deviceId: one.id })).cuts).toMatchObject([
    { code: 'moves', values: { from: '10.77.0.1', to: '10.77.3.21' }, block: eth1 },
  ])
  expect(await one.pushed({ cut: [one.id] })).toMatchObject({ state: 'applied' })
  expect(await reachedAt()).toBe('10.77.3.21')
  expect(await onGateway('ip -o -4 addr show dev eth1')).not.toContain(' 10.77.0.1/')
  await back(eth1)
  expect(await item(eth1)).toMatchObject({ releasing: true })
  expect(await one.pushed({ cut: [one.id] })).toMatchObject({ state: 'applied' })
  expect(await reachedAt()).toBe('10.77.0.1')
  expect(await text('/etc/systemd/network/10-lan.network')).toBe(network)
  expect(await item(eth1)).toMatchObject({ state: 'unmanaged', releasing: false })
})

test('a change of somebody else’s file that is never confirmed is put back by the device', async () => {
  await on('gw', async session => {
    const value = 'iface eth0 inet static\naddress 203.0.113.2/24\ngateway 203.0.113.1'
    const taken = [{ id: eth0, options: { addresses: value } }]
    const seen = await linuxDriver.read(session, taken)
    expect(seen.blocks).toContainEqual({ id: eth0, item: eth0, text: value })
    const blocks = [
      ...seen.blocks.filter(block => !block.item),
      { id: eth0, item: eth0, text: value.replace('.2/24', '.66/24') },
    ]
    const events = { pending: async () => undefined, step: () => undefined }
    await linuxDriver.push(session, seen, { blocks }, 20, events)
    expect(await linuxDriver.read(session, taken)).toEqual({ blocks })
  })
  await seenAs('203.0.113.2')
  expect(await text('/etc/network/interfaces')).toBe(interfaces)
})

test('the way out, the time zone and the log’s target are taken over, changed, kept through a boot, given back', async () => {
  const before = {
    zone: await onGateway('date +%z; readlink /etc/localtime'),
    rights: await onGateway('stat -c %a /etc/network/interfaces'),
  }
  const { addresses } = await lab.up()
  const forward = `*.* @${addresses.mgr}:5599\n# the rest\n`
  await lab.in('gw', ['tee', '/etc/rsyslog.d/10-all.conf'], { input: forward })
  await lab.in('gw', ['systemctl', 'start', 'rsyslog'])
  // What somebody else gave the interface besides stays, whatever its first address becomes.
  const further =
    'iface eth0 inet static\n  address 100.64.77.2/24\niface eth0 inet6 static\n  address fd00:88::2/64\n  dad-attempts 0\n'
  const more = `${interfaces}\n${further}`
  await lab.in('gw', ['tee', '/etc/network/interfaces'], { input: more })
  await onGateway('ip addr add 100.64.77.2/24 dev eth0; ip addr add fd00:88::2/64 dev eth0')
  await seenAs('203.0.113.2')
  const told = await take([eth0, 'addresses'], [zone, 'zone'], [log, 'forward'])
  expect(told).toMatchObject({ documents: [{ kind: 'wan' }], kinds: ['system'], differs: [] })
  expect((await planned()).filter(line => line.includes('/etc/network/'))).toEqual([])
  expect((await planned()).filter(line => line.includes('rsyslog'))).toEqual([])
  await change('wan', { address: '203.0.113.77' })
  await one.ok('settings/system/save', { ...(await system()), timeZone: 'Asia/Tokyo', syslogPort: 5514 })
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  await seenAs('203.0.113.77')
  expect(await text('/etc/network/interfaces')).toBe(more.replace('203.0.113.2', '203.0.113.77'))
  await addressedAs('100.64.77.2/24', '203.0.113.77/24', 'fd00:88::2/64')
  expect(await onGateway('date +%z')).toBe('+0900')
  expect(await text('/etc/rsyslog.d/10-all.conf')).toMatch(/^\*\.\* action\(.* port="5514" .*\n# the rest\n$/)

  await lab.reboot('gw')
  await seenAs('203.0.113.77')
  await addressedAs('100.64.77.2/24', '203.0.113.77/24', 'fd00:88::2/64')

  // The manager's connection ended with the boot: it notices by itself.
  await back(eth0, zone, log)
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  await seenAs('203.0.113.2')
  expect(await text('/etc/network/interfaces')).toBe(more)
  await addressedAs('100.64.77.2/24', '203.0.113.2/24', 'fd00:88::2/64')
  await lab.in('gw', ['tee', '/etc/network/interfaces'], { input: interfaces })
  await onGateway('ip addr del 100.64.77.2/24 dev eth0; ip addr del fd00:88::2/64 dev eth0')
  await addressedAs('203.0.113.2/24')
  expect(await text('/etc/rsyslog.d/10-all.conf')).toBe(forward)
  expect(await onGateway('stat -c %a /etc/network/interfaces')).toBe(before.rights)
  expect(await onGateway('date +%z; readlink /etc/localtime')).toBe(before.zone)
  expect((await list()).some(each => each.options.some(option => option.imported))).toBe(false)
})

test('a DHCP client that kept the interface is ended, whichever it is, and its address is gone', async () => {
  const stanza = 'auto eth3\niface eth3 inet dhcp\n'
  const eth3 = 'file:/etc/network/interfaces#eth3'
  const kept = async () => await onGateway('pgrep -x dhcpcd | wc -l')
  // ifupdown takes the first client that it finds; Debian 13 comes with dhcpcd.
  await onGateway('for f in dhclient udhcpc; do mv $(command -v $f) /root/; done')
  await lab.in('gw', ['tee', '/etc/network/interfaces'], {
    input: `${interfaces.replace(/ *gateway.*\n/, '')}\n${stanza}`,
  })
  await onGateway('ip route del default; ifup eth3')
  await until(async () => (await onGateway('ip -o -4 addr show dev eth3')).includes(' 198.51.100.2'))
  expect(await kept()).not.toBe('0')
  await until(() => item(eth3))
  await take([eth3, 'addresses'])
  const rows = (await one.ok('settings/wan/list')).result as { id: string; interface: string }[]
  const id = rows.find(row => row.interface === 'eth3')?.id
  const { position, changedAt, changedBy, ...whole } = await one.ok('settings/wan/get', { id })
  await one.ok('settings/wan/save', {
    ...whole,
    ...{ connection: 'static', address: '198.51.100.140', prefix: 25, gateway: '198.51.100.129' },
  })
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  expect(await kept()).toBe('0')
  expect(await onGateway("ip -o -4 addr show dev eth3 | awk '{ print $4 }'")).toBe('198.51.100.140/25')
  await back(eth3)
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  await onGateway('ifdown eth3; mv /root/dhclient /root/udhcpc /sbin/; ip route add default via 203.0.113.1')
  await lab.in('gw', ['tee', '/etc/network/interfaces'], { input: interfaces })
})

/** What is set for the gateway alone, to be saved again. */
const system = async () => {
  const scope = { device: one.id }
  const { own, revision } = (await one.ok('settings/system/get', { scope })) as { own: object; revision: number }
  return { scope, revision, ...own }
}
