import { readFileSync } from 'node:fs'
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import { renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, NativeConfig, Pending } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { verifyDhcp } from '@/server/drivers/openwrt/lan-check'
import type { OpenwrtSession } from '@/server/drivers/openwrt/session'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import { networkRoles } from '../drivers/_network-roles'
import { never, ssidDocument, target } from './_device'
import { lab, until } from './_lab'
import { becomeOpenwrt } from './_openwrt'

// What OpenWrt's push does with dropbear, busybox, files, a background timer and a boot: all real here. Only uci and ubus
// are stand-ins (tests/lab/openwrt), since they run nowhere but on OpenWrt.

const config = "wireless.radio0=wifi-device\nwireless.radio0.band='2g'\n"
const wireless = async () => (await lab.sh('sw1', 'cat /etc/config/wireless')).stdout
const leftovers = async () => (await lab.sh('sw1', 'ls -d /etc/lanward/undo* /etc/uci-defaults/* 2>/dev/null')).stdout

async function on<T>(use: (session: OpenwrtSession) => Promise<T>): Promise<T> {
  const session = await driver.connect(await target('sw1'), never)
  try {
    return await use(session)
  } finally {
    driver.close(session)
  }
}

const tricky = ssidDocument('7f-a', { name: 'It\'s $(id) `x` "é"', key: "pass'word $HOME" })
const facts = { kind: 'ap' as const, capabilities: [] }
const radios = [{ key: 'radio0', name: 'radio0', band: '2g' as const, up: true }]
const observation = {
  takenAt: 0,
  depth: 'full' as const,
  radios,
  networks: [{ name: 'lan', device: 'br-lan' }],
  networkRoles,
}
const plan = (...documents: ReturnType<typeof ssidDocument>[]): NativeConfig => ({
  blocks: driver.renderers.flatMap(one => one.render({ facts, observation, documents, windowSeconds: 60 }).blocks),
})
const events = { pending: async () => undefined, step: () => undefined }
const push = (next: NativeConfig, window: number): Promise<Pending> =>
  on(async session => driver.push(session, await driver.read(session), next, window, events))

beforeAll(async () => {
  await lab.up()
  await lab.reset('sw1')
  await becomeOpenwrt(config)
})
afterAll(() => lab.reset('sw1'))

test('a push writes our sections, leaves the others, and reads back equal', async () => {
  const next = plan(tricky)
  const pending = await push(next, 60)
  await on(async session => {
    const seen = await driver.read(session)
    expect(seen.blocks.map(block => block.id)).toEqual(next.blocks.map(block => block.id))
    expect(next.blocks.every((block, at) => seen.blocks[at] && driver.equal(block, seen.blocks[at]))).toBe(true)
    expect(await driver.selfCheck(session, next)).toEqual([])
    expect(await driver.state(session, pending)).toBe('waiting')
    await driver.confirm(session, pending)
    expect(await driver.state(session, pending)).toBe('confirmed')
  })
  expect(await wireless()).toContain(config)
  expect(await wireless()).toContain("wireless.lw_7f_a_radio0.ssid='It'\\''s $(id) `x` \"é\"'")
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('reload\n')
  expect(await leftovers()).toBe('')
})

test('many commands that are asked for together are all answered', async () => {
  const answers = await on(({ ssh }) =>
    Promise.all(Array.from({ length: 60 }, async (_, at) => (await ssh.exec(`echo ${at}`)).stdout)),
  )
  expect(answers).toEqual(Array.from({ length: 60 }, (_, at) => `${at}\n`))
})

test('unconfirmed it goes back by its own timer', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Wrong' })), 12)
  expect(await wireless()).toContain("ssid='Wrong'")
  await until(async () => (await wireless()) === before)
  // Its files are back first; the system follows them after.
  await until(async () => (await on(session => driver.state(session, pending))) === 'reverted')
  expect(await leftovers()).toBe('')
})

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
    ...{ facts: { kind: 'switch', capabilities: ['tc'] }, windowSeconds: 60, documents: [document] },
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

test('a timer that outlives its window does not touch the next change', async () => {
  const first = await push(plan(tricky, ssidDocument('8', { name: 'First' })), 12)
  const over = Date.now() + 13_000
  await on(session => driver.confirm(session, first))
  const second = await push(plan(tricky), 60)
  await until(() => Date.now() > over)
  expect(await on(session => driver.state(session, second))).toBe('waiting')
  await on(session => driver.revert(session, second))
  expect(await wireless()).toContain("ssid='First'")
})

test('at the next boot it goes back before the network starts', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Rebooted' })), 300)
  await lab.reboot('sw1')
  expect(await wireless()).toBe(before)
  expect(await on(session => driver.state(session, pending))).toBe('reverted')
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('')
  expect(await leftovers()).toBe('')
})

test('a window whose timer and boot hook are gone is closed by whoever asks for it', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Forgotten' })), 300)
  await lab.sh('sw1', 'rm /etc/uci-defaults/*; echo 1 >/etc/lanward/undo/until')
  expect(await on(session => driver.state(session, pending))).toBe('reverted')
  expect(await wireless()).toBe(before)
  expect(await leftovers()).toBe('')
})

test('what uci refuses is not applied, although it ends with 0', async () => {
  const before = await wireless()
  const next = plan(tricky)
  const broken = { blocks: next.blocks.map(block => ({ ...block, text: `${block.text}\nnonsense` })) }
  await expect(push(broken, 60)).rejects.toMatchObject({
    reason: 'commandFailed',
    detail: expect.stringContaining('Parse error'),
  })
  expect(await wireless()).toBe(before)
  expect(await leftovers()).toBe('')
})

test('work of another administrator that is not committed is not taken along', async () => {
  await lab.sh(
    'sw1',
    'cp /etc/config/wireless /tmp/.uci-wireless; echo "wireless.other=wifi-iface" >>/tmp/.uci-wireless',
  )
  await expect(push(plan(tricky), 60)).rejects.toMatchObject({ reason: 'busy' })
  await lab.sh('sw1', 'rm /tmp/.uci-wireless')
})

const folder = `${__dirname}/../recordings/openwrt-24.10`
const recorded = (config: string) => readFileSync(`${folder}/uci-show-${config}.out`, 'utf8')
const onDevice = async (config: string) => (await lab.sh('sw1', `cat /etc/config/${config}`)).stdout
const configs = ['network', 'dhcp', 'firewall', 'system', 'dropbear'] as const
const gateway = { kind: 'gateway' as const, capabilities: [] }
const rendered = (documents: DesiredDocument[], taken: ImportedItem[]): NativeConfig => {
  const input = { facts: gateway, observation, documents, windowSeconds: 60, imported: taken }
  return { blocks: renderAll(driver.renderers, input).blocks }
}

test('sections that the system made are taken over without a change, follow their settings option by option, and go back', async () => {
  for (const config of configs)
    await lab.in('sw1', ['sh', '-c', `cat >/etc/config/${config}`], { input: recorded(config) })
  const services = ['dnsmasq', 'system', 'log', 'sysntpd'].map(name => `/etc/init.d/${name}`)
  // In a container the clock's script may not set the kernel's time zone, and ends with 1.
  for (const path of services)
    await lab.sh(
      'sw1',
      `printf '#!/bin/sh\\necho "$0 $1" >>/tmp/reloads\\n%s\\n' '${path.endsWith('system') ? 'exit 1' : ''}' >${path}
chmod 755 ${path}; : >/tmp/reloads`,
    )
  const ids = ['uci:network.lan', 'uci:network.wan', 'uci:dhcp.lan', 'uci:system.@system[0]', 'uci:system.ntp']
  ids.push('uci:firewall.@zone[0]', 'uci:firewall.@zone[1]')
  const all = await on(async session => (await driver.ownership?.list(session, [])) ?? [])
  const chosen = ids.map((id): ImportedItem => {
    const item = all.find(one => one.id === id)
    const offered = item?.options.filter(one => one.kind !== undefined) ?? []
    const options = Object.fromEntries(offered.map(one => [one.option, one.value ?? null]))
    const document = item?.about?.vlan ? 'lan' : item?.about?.way
    return { id, options, about: item?.about, document }
  })
  const input = { facts: gateway, observation, documents: [], windowSeconds: 60, imported: chosen }
  const proposals = driver.renderers.flatMap(one => one.proposes?.(chosen, all, input) ?? [])
  const said = (kind: string) => proposals.filter(one => one.kind === kind).map(one => one.fields)
  const documents = (lan: object, system: object, wan: object): DesiredDocument[] => [
    { id: 'wan', kind: 'wan', name: 'wan', data: Object.assign({}, ...said('wan'), wan) },
    { id: 'lan', kind: 'lan', name: 'lan', data: Object.assign({}, ...said('lan'), lan) },
    { id: 'system', kind: 'system', name: '', data: Object.assign({}, ...said('system'), system) },
  ]
  const send = (next: NativeConfig) =>
    on(async session => {
      const before = await driver.read(session, chosen)
      const pending = await driver.push(session, before, next, 60, events)
      const seen = await driver.read(session, chosen)
      expect(next.blocks.every(block => seen.blocks.some(one => one.id === block.id && driver.equal(block, one)))).toBe(
        true,
      )
      await driver.confirm(session, pending)
    })
  const before = await on(session => driver.read(session, chosen))
  const ours = before.blocks.filter(block => block.item === undefined)
  const plan = (lan: object, system: object, wan: object): NativeConfig => ({
    blocks: [...ours, ...rendered(documents(lan, system, wan), chosen).blocks],
  })
  const asNow = plan({}, {}, {})
  expect(asNow.blocks.map(({ id, text }) => [id, text]).toSorted()).toEqual(
    before.blocks.map(({ id, text }) => [id, text]).toSorted(),
  )

  const moved = { address: '192.168.50.1/24', poolStart: '192.168.50.10', poolEnd: '192.168.50.59', lease: 60 }
  const fixed = { connection: 'static', address: '198.51.100.7', prefix: 24, gateway: '198.51.100.1', vlan: 7 }
  await send(plan(moved, { timeZone: 'Europe/Berlin', ntpServers: ['ntp.test'] }, { ...fixed, nat: false }))
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe(
    ['reload', ...services.map(path => `${path} reload`), ''].join('\n'),
  )
  expect(await onDevice('network')).toBe(
    recorded('network')
      .replace("network.lan.ipaddr='192.168.1.1'", "network.lan.ipaddr='192.168.50.1'")
      .replace(
        "network.wan.device='eth1'\nnetwork.wan.proto='dhcp'",
        "network.wan.device='eth1.7'\nnetwork.wan.proto='static'",
      )
      .concat("network.wan.gateway='198.51.100.1'\nnetwork.wan.ipaddr='198.51.100.7'\n")
      .concat("network.wan.netmask='255.255.255.0'\n"),
  )
  expect(await onDevice('firewall')).toBe(recorded('firewall').replace("masq='1'", "masq='0'"))
  expect(await onDevice('dhcp')).toBe(
    recorded('dhcp')
      .replace("start='100'", "start='10'")
      .replace("limit='150'", "limit='50'")
      .replace("'12h'", "'60m'"),
  )
  const system = (await onDevice('system')).split('\n')
  expect(system).toEqual(
    expect.arrayContaining([
      "system.@system[0].timezone='CET-1CEST,M3.5.0,M10.5.0/3'",
      "system.@system[0].zonename='Europe/Berlin'",
      "system.ntp.server='ntp.test'",
    ]),
  )
  const others = (text: string) => text.split('\n').filter(line => !/\.(timezone|zonename|server)=/.test(line))
  expect(others(system.join('\n'))).toEqual(others(recorded('system')))
  expect(await onDevice('dropbear')).toBe(recorded('dropbear'))

  // Not confirmed, it goes back by the device's own timer.
  const changed = await onDevice('network')
  await on(async session => {
    const next = plan({ ...moved, address: '192.168.50.9/24', isolation: true }, {}, { connection: 'dhcp' })
    await driver.push(session, await driver.read(session, chosen), next, 12, events)
  })
  await until(async () => (await onDevice('network')) === changed)
  await until(async () => (await onDevice('firewall')).includes("firewall.@zone[0].input='ACCEPT'"))
  // The files are back before the services have followed them.
  await until(async () => (await leftovers()) === '')

  await send({ blocks: [...ours, ...chosen.flatMap(one => driver.ownership?.former(one) ?? [])] })
  for (const config of configs)
    expect((await onDevice(config)).split('\n').toSorted()).toEqual(recorded(config).split('\n').toSorted())
})

test('a section without a name stays the one that was taken over, whatever of ours stands before it', async () => {
  const ours = plan(tricky)
  const confirmed = await push(ours, 60)
  await on(session => driver.confirm(session, confirmed))
  const foreign = ['wireless.@wifi-iface[1]=wifi-iface', "wireless.@wifi-iface[1].device='radio0'"]
  const hidden = (at: number, value: number) => `wireless.@wifi-iface[${at}].hidden='${value}'`
  await lab.sh('sw1', `printf '%s\\n' "${[...foreign, hidden(1, 0)].join('" "')}" >>/etc/config/wireless`)
  const id = 'uci:wireless.@wifi-iface[0]'
  const taken: ImportedItem[] = [{ id, options: { hidden: "'0'" }, about: { type: 'wifi-iface' } }]
  const found = await on(async session => (await driver.ownership?.list(session, [])) ?? [])
  expect(found.find(one => one.id === id)?.options).toContainEqual({ option: 'hidden', value: "'0'" })
  const send = (value: number, ...others: NativeConfig['blocks']) =>
    on(async session => {
      const block = { id, item: id, text: hidden(0, value) }
      const before = await driver.read(session, taken)
      await driver.confirm(session, await driver.push(session, before, { blocks: [...others, block] }, 60, events))
      expect((await driver.read(session, taken)).blocks).toContainEqual(block)
    })
  await send(1, ...ours.blocks)
  expect(await wireless()).toContain(hidden(1, 1))
  await send(0)
  expect(await wireless()).toContain(hidden(0, 0))
  await send(1, ...ours.blocks)
  expect((await wireless()).match(/hidden='1'/g)).toHaveLength(1)
  await lab.in('sw1', ['sh', '-c', 'cat >/etc/config/wireless'], { input: config })
})

test('lines for hostapd itself are a list on the device, and read back as they were planned', async () => {
  const capabilities = ['wifi', 'fw4', 'nftBridge', 'ucodeWifi']
  const documents = [ssidDocument('6', { name: 'Lines' })]
  const next = renderAll(driver.renderers, {
    ...{ facts: { ...facts, capabilities }, observation, documents },
    windowSeconds: 60,
  })
  const pending = await push(next, 60)
  expect(await wireless()).toContain("wireless.lw_6_radio0.hostapd_bss_options='ap_isolate=1'\n")
  await on(async session => {
    const seen = await driver.read(session)
    expect(next.blocks.map(block => seen.blocks.some(one => driver.equal(block, one)))).toEqual([true])
    expect(await driver.selfCheck(session, next)).toEqual([])
    await driver.revert(session, pending)
  })
  expect(await wireless()).toBe(config)
})

test('a device without room refuses before anything changes', async () => {
  const before = await wireless()
  await lab.sh('sw1', 'mkdir -p /etc/lanward; mount -t tmpfs -o size=4k tmpfs /etc/lanward')
  await expect(push(plan(ssidDocument('5', { name: 'Full' })), 60)).rejects.toMatchObject({ reason: 'deviceFull' })
  await lab.sh('sw1', 'umount /etc/lanward')
  expect(await wireless()).toBe(before)
})

const router = { kind: 'gateway' as const, capabilities: ['fw4'] }
const wan = { key: 'wan', name: 'wan', type: 'ethernet' as const, addresses: ['198.51.100.7/24'] }
const document = (kind: string, id: string, data: Record<string, unknown>) => ({ id, kind, name: id, data })
const rules = (...documents: ReturnType<typeof document>[]): NativeConfig => ({
  blocks: driver.renderers.flatMap(
    one =>
      one.render({
        facts: router,
        observation: { takenAt: 0, depth: 'full', interfaces: [wan], networkRoles },
        documents,
        windowSeconds: 60,
      }).blocks,
  ),
})
test('clients are steered where the package is: beside its own section, by the restarted service, and as before without', async () => {
  const own = "usteer.@usteer[0]=usteer\nusteer.@usteer[0].network='lan'\n"
  const read = async () => (await lab.sh('sw1', 'cat /etc/config/usteer')).stdout
  const steered = async () => on(async session => (await driver.facts(session)).capabilities.includes('usteer'))
  expect(await steered()).toBe(false)
  await lab.in('sw1', ['sh', '-c', 'cat >/etc/init.d/usteer; chmod 755 /etc/init.d/usteer'], {
    // As there: each section's options go to the running service, so that the last ones hold.
    input: `#!/bin/sh
[ "$1" = restart ] || exit 1
value=$(sed -n "s/.*roam_trigger_snr='\\(.*\\)'/\\1/p" /etc/config/usteer | tail -n 1)
echo "{\\"roam_trigger_snr\\":\${value:-0}}" >/tmp/usteer
`,
  })
  await lab.in('sw1', ['sh', '-c', 'cat >/etc/config/usteer'], { input: own })
  expect(await steered()).toBe(true)
  const data = { enabled: true, roamingThreshold: -70, clientThreshold: 30 }
  const documents = [tricky, document('steering', 'steering', data)]
  const input = { facts: { kind: 'ap' as const, capabilities: ['usteer'] }, observation, documents, windowSeconds: 60 }
  const next = { blocks: renderAll(driver.renderers, input).blocks }
  const pending = await push(next, 60)
  expect(await read()).toContain(`${own}usteer.lw_steering=usteer\nusteer.lw_steering.enabled='1'\n`)
  expect(await read()).toContain("usteer.lw_steering.load_kick_min_clients='30'\n")
  await on(async session => {
    expect((await driver.read(session)).blocks).toContainEqual(
      expect.objectContaining({ id: 'uci:usteer.lw_steering', text: next.blocks.at(-1)?.text }),
    )
    expect(await driver.selfCheck(session, next)).toEqual([])
    await driver.revert(session, pending)
  })
  expect([await read(), (await lab.sh('sw1', 'cat /tmp/usteer')).stdout]).toEqual([own, '{"roam_trigger_snr":0}\n'])
  await lab.sh('sw1', 'rm /etc/init.d/usteer /etc/config/usteer /tmp/usteer')
})

const tables = async () => (await lab.sh('sw1', 'nft list tables')).stdout

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

/** Lets the tool fail as the shell text says, until `heal`. */
const ail = (tool: string, how: string) =>
  lab.in('sw1', ['sh', '-c', `cp -p ${tool} /tmp/healthy && { printf '%s\\n' '#!/bin/sh'; cat; } >${tool}`], {
    input: `${how}\nexec /tmp/healthy "$@"\n`,
  })
const heal = (tool: string) => lab.sh('sw1', `mv /tmp/healthy ${tool}`)

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

test('a Wi-Fi network is sent out by its hours on the device’s own clock: that is no drift, and without them it stays on', async () => {
  const air = (schedule?: object) => plan(ssidDocument('h', { name: 'Hours', ...(schedule && { schedule }) }))
  const settle = async (next: NativeConfig) => {
    const pending = await push(next, 60)
    await on(async session => {
      const seen = await driver.read(session)
      expect(seen.blocks.map(({ id, text }) => [id, text]).sort()).toEqual(
        next.blocks.map(({ id, text }) => [id, text]).sort(),
      )
      expect(await driver.selfCheck(session, next)).toEqual([])
    })
    return pending
  }
  const isOff = async () => (await wireless()).includes("wireless.lw_h_radio0.disabled='1'\n")
  const always = await settle(air())
  await on(session => driver.confirm(session, always))
  const before = await wireless()
  const silent = { name: 'Never', weekly: '', dates: [] }
  const reverted = await settle(air(silent))
  expect(await isOff()).toBe(true)
  await on(session => driver.revert(session, reverted))
  expect(await wireless()).toBe(before)
  // One day of the west; in the east it is another day already.
  const zones = Array.from({ length: 27 }, (_, at) => at - 12).filter(east => {
    const hour = (new Date().getUTCHours() + east + 24) % 24
    return hour > 0 && hour < 23
  })
  const [west = 0, east = 0] = [zones[0], zones.at(-1)]
  const date = new Date(Date.now() + west * 3_600_000).toISOString().slice(0, 10)
  const confirmed = await settle(air({ name: 'A day', weekly: '', dates: [{ date, times: '00:00-24:00' }] }))
  await on(session => driver.confirm(session, confirmed))
  const cron = '0,30 * * * * sh /etc/lanward/hours.sh # lanward\n'
  expect((await lab.sh('sw1', 'cat /etc/crontabs/root')).stdout).toBe(cron)
  const clock = (hours: number) => `TZ=AAA${hours > 0 ? '-' : '+'}${Math.abs(hours)}; export TZ`
  const follow = (hours: number) => lab.sh('sw1', `${clock(hours)}; sh /etc/lanward/hours.sh`)
  await follow(west)
  expect(await isOff()).toBe(false)
  // Somebody's work that is not committed is left alone, and so is a change that is being made.
  await lab.sh('sw1', 'echo x | cat /etc/config/wireless - >/tmp/.uci-wireless')
  await follow(east)
  expect(await isOff()).toBe(false)
  await lab.sh('sw1', 'rm /tmp/.uci-wireless; mkdir -p /etc/lanward/undo; : >/etc/lanward/undo/applying')
  await follow(east)
  expect(await isOff()).toBe(false)
  await lab.sh('sw1', 'rm -r /etc/lanward/undo; : >/tmp/reloads')
  await lab.sh('sw1', `${clock(east)}; ACTION=ifup; . /etc/hotplug.d/iface/90-lanward`)
  await until(isOff)
  await follow(east)
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('reload\n')
  await on(async session =>
    expect((await driver.read(session)).blocks.map(one => one.text).join()).not.toMatch(/lw_h_radio0\.disabled/),
  )
  const none = await settle(air())
  await on(session => driver.confirm(session, none))
  expect(await wireless()).toBe(before)
  expect(
    (await lab.sh('sw1', 'ls /etc/crontabs /etc/lanward /etc/hotplug.d/* /lib/upgrade/keep.d')).stdout,
  ).not.toMatch(/root|hours|lanward-/)
  const gone = await push(plan(), 60)
  await on(session => driver.confirm(session, gone))
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

test('a device that became full in the window goes back all the same', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Full' })), 60)
  await ail('/bin/cp', 'echo full >&2; exit 1')
  // It was ended once already, when the first file was back.
  await lab.sh('sw1', 'mv -f "$(grep -l wifi-device /etc/lanward/undo/old/*)" /etc/config/wireless')
  await on(session => driver.revert(session, pending))
  expect(await wireless()).toBe(before)
  await heal('/bin/cp')
})

test('one service that does not follow keeps no other from being told, there and back', async () => {
  const before = await wireless()
  await lab.sh(
    'sw1',
    `mkdir -p /etc/init.d; printf '#!/bin/sh\\necho "$0 $1" >>/tmp/reloads\\n' >/etc/init.d/firewall
chmod 755 /etc/init.d/firewall; : >/etc/config/firewall; : >/tmp/reloads`,
  )
  await ail('/usr/sbin/ubus', '[ "$*" != "call network reload" ] || { echo gone >&2; exit 1; }')
  const zone = { id: 'uci:firewall.lw_z', text: "firewall.lw_z=zone\nfirewall.lw_z.name='lw_z'" }
  const next = { blocks: [...plan(ssidDocument('6', { name: 'Told' })).blocks, zone] }
  await expect(push(next, 60)).rejects.toMatchObject({ detail: expect.stringContaining('gone') })
  await heal('/usr/sbin/ubus')
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('/etc/init.d/firewall reload\n'.repeat(2))
  expect(await wireless()).toBe(before)
  expect(await leftovers()).toBe('')
})

test('a change that is cut off before its commit leaves nothing that another commit would take along', async () => {
  const before = await wireless()
  await ail('/usr/sbin/uci', '[ "$1" != commit ] || { kill -9 $PPID; exit 1; }')
  await expect(push(plan(ssidDocument('4', { name: 'Cut' })), 4)).rejects.toMatchObject({ reason: 'closed' })
  await heal('/usr/sbin/uci')
  await until(async () => (await leftovers()) === '')
  expect((await lab.sh('sw1', 'uci changes wireless')).stdout).toBe('')
  expect(await wireless()).toBe(before)
})

test('Wi-Fi software that was built without 802.11v is known by its file, and another that is no program says nothing', async () => {
  const lacks = () => on(async session => (await driver.facts(session)).capabilities.includes('noWnm'))
  expect(await lacks()).toBe(false)
  await lab.sh(
    'sw1',
    'cp /usr/sbin/hostapd /tmp/hostapd; sed s/bss_transition/bss_xxxxxxxxxx/ /tmp/hostapd >/usr/sbin/hostapd',
  )
  expect(await lacks()).toBe(true)
  await lab.sh('sw1', 'printf "#!/bin/sh\n" >/usr/sbin/hostapd')
  expect(await lacks()).toBe(false)
  await lab.sh('sw1', 'cat /tmp/hostapd >/usr/sbin/hostapd')
})

test('nothing is proven while the device is still making the change', async () => {
  const next = plan(tricky)
  await lab.sh('sw1', 'mkdir -p /etc/lanward/undo; : >/etc/lanward/undo/applying')
  expect(await on(session => driver.selfCheck(session, next))).toMatchObject([{ code: 'applyUnfinished' }])
  await lab.sh('sw1', 'rm -r /etc/lanward/undo')
})

test('an OpenWrt that is given nothing any more keeps nothing of the manager', async () => {
  const laid = await push(plan(tricky), 300)
  await on(session => driver.confirm(session, laid))
  expect((await lab.sh('sw1', 'ls /etc/lanward')).stdout).toContain('results')
  const returned = await push(plan(), 300)
  await on(async session => {
    await driver.confirm(session, returned)
    expect((await driver.read(session)).blocks).toEqual([])
  })
  expect((await lab.sh('sw1', 'ls -d /etc/lanward 2>/dev/null')).stdout).toBe('')
})
