// Sections of an OpenWrt that were taken over, beside ours.
import { readFileSync } from 'node:fs'
import { renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, NativeConfig } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import { lab, until } from './_lab'
import { begin, config, end, events, leftovers, observation, on, plan, push, tricky, wireless } from './_openwrt-push'

beforeAll(async () => {
  await begin()
  const pending = await push(plan(tricky), 60)
  await on(session => driver.confirm(session, pending))
})
afterAll(end)

const folder = `${__dirname}/../recordings/openwrt-24.10`
const recorded = (config: string) => readFileSync(`${folder}/uci-show-${config}.out`, 'utf8')
const onDevice = async (config: string) => (await lab.sh('sw1', `cat /etc/config/${config}`)).stdout
const configs = ['network', 'dhcp', 'firewall', 'system', 'dropbear'] as const
const gateway = { kind: 'gateway' as const, capabilities: [] }
const rendered = (documents: DesiredDocument[], taken: ImportedItem[]): NativeConfig => {
  const input = { facts: gateway, observation, documents, confirmSeconds: 60, imported: taken }
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
  const input = { facts: gateway, observation, documents: [], confirmSeconds: 60, imported: chosen }
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
