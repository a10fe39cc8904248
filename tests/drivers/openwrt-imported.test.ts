import { randomUUID } from 'node:crypto'
import { listenSeconds } from '@/model/wifi/channels'
import { ssid } from '@/model/wifi/ssid'
import { adoptBlock, renderAll } from '@/server/drivers/assess'
import type { DesiredDocument } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { lanRenderer } from '@/server/drivers/openwrt/lan/lan'
import { planPush } from '@/server/drivers/openwrt/push'
import { readImported } from '@/server/drivers/openwrt/uci/imported'
import { sectionsOf } from '@/server/drivers/openwrt/uci/sections'
import { unmanagedItems } from '@/server/drivers/openwrt/unmanaged'
import { unmarked } from '@/server/drivers/unix/secret'
import { times } from '../_sample'
import { randomDocument } from '../model/_random'
import { randomOf } from '../soak/random'
import { changed, commands, former, input, observation, planned, recorded, take, texts } from './_imported'

test('the recorded router: what can be taken over, what cannot, and what each option says', () => {
  const items = unmanagedItems(recorded, [])
  const offered = items.filter(one => one.state === 'unmanaged')
  expect(offered.map(one => one.id)).toEqual(
    expect.arrayContaining([
      'uci:network.lan',
      'uci:dhcp.lan',
      'uci:system.@system[0]',
      'uci:system.ntp',
      'uci:dropbear.main',
    ]),
  )
  expect(offered.find(one => one.id === 'uci:network.lan')).toEqual({
    id: 'uci:network.lan',
    area: 'network',
    label: 'network.lan',
    state: 'unmanaged',
    why: 'system',
    options: [
      { option: 'ipaddr', value: "'192.168.1.1'", kind: 'lan', field: 'address' },
      { option: 'netmask', value: "'255.255.255.0'", kind: 'lan', field: 'address' },
      { option: 'device', value: "'br-lan'" },
      { option: 'proto', value: "'static'" },
      { option: 'ip6assign', value: "'60'" },
    ],
    about: { type: 'interface', network: 'lan', vlan: '1', zone: 'lan', isolated: 'false' },
  })
  const [names] = offered.filter(one => one.id === 'uci:dhcp.@dnsmasq[0]')
  expect(names?.options.filter(one => one.kind !== undefined)).toEqual([
    { option: 'logqueries', kind: 'trafficLogs', field: 'urlLog' },
  ])
  // The loopback, the ways between zones and every rule of the firewall are nobody's to take over.
  const whys = {
    'uci:network.loopback': 'interface',
    'uci:network.wan6': 'interface',
    'uci:firewall.@forwarding[0]': 'forwarding',
    'uci:firewall.@rule[0]': 'noSetting',
    'uci:dhcp.odhcpd': 'noSetting',
  }
  for (const [id, why] of Object.entries(whys))
    expect(items.find(one => one.id === id)).toMatchObject({ state: 'unsupported', why })
})

test('documents that say what runs: taking all of it over is a push that does nothing', () => {
  const { taken, documents } = take(recorded)
  expect(documents.find(one => one.kind === 'lan')?.data).toMatchObject({
    ...{ name: 'lan', vlan: 1, address: '192.168.1.1/24', dhcp: true, lease: 720 },
    ...{ poolStart: '192.168.1.100', poolEnd: '192.168.1.249' },
  })
  expect(documents.find(one => one.kind === 'system')?.data).toMatchObject({
    hostname: 'OpenWrt',
    timeZone: 'UTC',
    ntpServers: [0, 1, 2, 3].map(at => `${at}.openwrt.pool.ntp.org`),
    passwordLogin: 'on',
  })
  const next = planned(documents, taken)
  expect(texts(next)).toEqual(texts(former(taken)))
  const seen = readImported(sectionsOf(recorded), taken)
  expect(texts(seen)).toEqual(texts(next))
  expect(commands(seen, next)).toBe('')
})

test('a change writes exactly the owned options that differ', () => {
  const { taken, documents } = take(recorded, /network\.lan|dhcp\.lan|@system/)
  const moved = { address: '10.20.0.1/16', poolStart: '10.20.1.0', poolEnd: '10.20.1.99' }
  const next = planned(
    changed(changed(documents, 'lan', { ...moved, dns1: '9.9.9.9' }), 'system', { timeZone: 'Europe/Berlin' }),
    taken,
  )
  expect(commands(readImported(sectionsOf(recorded), taken), next).split('\n')).toEqual([
    "set network.lan.ipaddr='10.20.0.1'",
    "set network.lan.netmask='255.255.0.0'",
    "set dhcp.lan.limit='100'",
    "set dhcp.lan.start='256'",
    "add_list dhcp.lan.dhcp_option='6,9.9.9.9'",
    "set system.@system[0].timezone='CET-1CEST,M3.5.0,M10.5.0/3'",
    "set system.@system[0].zonename='Europe/Berlin'",
    '',
  ])
})

test('an imported pool tells of the portal, and what it tells comes back into no setting', () => {
  const { taken, documents } = take(recorded, /network\.lan|dhcp\.lan/)
  const wanted = changed(documents, 'lan', { portal: { name: 'Guests', methods: ['free'] } })
  const gate = {
    ...{ url: 'http://192.168.1.9:8880/portal', key: '00' },
    api: { name: 'wifi.house.example', known: true },
  }
  const facts = { kind: 'gateway' as const, capabilities: ['fw4' as const, 'uhttpd' as const] }
  const given = { ...input(wanted, taken), facts, gate }
  const next = renderAll([lanRenderer], given)
  const { id } = wanted.find(one => one.kind === 'lan') ?? { id: '' }
  const told = `114,"https://wifi.house.example:8880/portal/${id}/api"`
  expect(commands(readImported(sectionsOf(recorded), taken), next)).toContain(
    `add_list dhcp.lan.dhcp_option='${told}'\n`,
  )
  expect(texts(next)['uci:dhcp.lw_portal']).toContain("dhcp.lw_portal.ip='192.168.1.9'")
  // Somebody changed the lease on the device meanwhile.
  const there = `${recorded}\ndhcp.lan.leasetime='1h'\ndhcp.lan.dhcp_option='${told}' '43,"x"'`
  const seen = readImported(sectionsOf(there), taken).blocks.find(one => one.id === 'uci:dhcp.lan')
  const adopted = seen && adoptBlock(driver, given, seen)
  expect(adopted).toMatchObject([{ fields: { lease: 60, options: [{ code: 43, type: 'text', value: 'x' }] } }])
  // Without its own pool among what was imported the network tells nobody.
  const alone = taken.filter(one => !one.id.startsWith('uci:dhcp.'))
  expect(texts(renderAll([lanRenderer], { ...given, imported: alone }))['uci:dhcp.lw_portal']).toBeUndefined()
})

test('an address that somebody changed on the device takes the pool along, which stands behind it', () => {
  const { taken, documents } = take(recorded, /network\.lan|dhcp\.lan/)
  const there = recorded.replace("network.lan.ipaddr='192.168.1.1'", "network.lan.ipaddr='10.9.0.1'")
  const seen = readImported(sectionsOf(there), taken).blocks.find(one => one.id === 'uci:network.lan')
  expect(seen && adoptBlock(driver, input(documents, taken), seen)).toEqual([
    {
      document: documents.find(one => one.kind === 'lan')?.id,
      fields: { address: '10.9.0.1/24', poolStart: '10.9.0.100', poolEnd: '10.9.0.249' },
    },
  ])
})

test('handing back puts the former values, and takes off what was not set', () => {
  const { taken, documents } = take(recorded, /@system|ntp|dhcp/)
  const set = {
    timeZone: 'Asia/Kolkata',
    ntpServers: ['ntp.test'],
    syslog: 'udp',
    syslogHost: '192.0.2.9',
    syslogPort: 514,
  }
  const now = planned(changed(changed(documents, 'system', set), 'lan', { lease: 60 }), taken)
  expect(commands(now, former(taken)).split('\n')).toEqual([
    "set dhcp.lan.leasetime='12h'",
    'delete system.@system[0].log_ip',
    "set system.@system[0].timezone='UTC'",
    'delete system.@system[0].zonename',
    'delete system.ntp.server',
    ...[0, 1, 2, 3].map(at => `add_list system.ntp.server='${at}.openwrt.pool.ntp.org'`),
    '',
  ])
})

test('only what was chosen is ever written, whatever the settings say besides', () => {
  const { taken, documents } = take(recorded, /network\.lan/)
  const only = taken.map(item => ({ ...item, options: { ipaddr: item.options.ipaddr ?? null } }))
  const next = planned(
    changed(
      changed(documents, 'lan', { address: '10.1.0.1/16', poolStart: '10.1.0.5', poolEnd: '10.1.0.9' }),
      'system',
      {},
    ),
    only,
  )
  expect(commands(readImported(sectionsOf(recorded), only), next)).toBe("set network.lan.ipaddr='10.1.0.1'\n")
  // Nothing is taken over: nothing is written, and why is said.
  const { blocks, warnings } = renderAll(driver.renderers, input(documents, []))
  expect(blocks).toEqual([])
  expect(warnings).toMatchObject([{ code: 'lanUnmanaged', blocks: true }])
})

test('what nobody plans of a taken section stays; a section that is gone stops the push before it begins', () => {
  const { taken } = take(recorded, /network\.lan/)
  const seen = readImported(sectionsOf(recorded), taken)
  expect(commands(seen, { blocks: [] })).toBe('')
  expect(() => planPush('1', { blocks: [] }, seen, 60)).toThrow('uci:network.lan is not on the device any more')
  const foreign = { blocks: [{ id: 'uci:network.wan', text: "network.wan.proto='none'" }] }
  expect(() => planPush('1', foreign, foreign, 60)).toThrow('not ours to write')
})

test('a host name is written where it was taken over; one that settings cannot say keeps the device’s own', () => {
  const { taken, documents } = take(recorded, /@system/)
  const next = planned(changed(documents, 'system', { hostname: 'harbour' }), taken)
  expect(commands(readImported(sectionsOf(recorded), taken), next)).toBe("set system.@system[0].hostname='harbour'\n")
  const odd = recorded.replace("hostname='OpenWrt'", "hostname='My router!'")
  const kept = take(odd, /@system/)
  expect(kept.documents[0]?.data).toEqual({ timeZone: 'UTC' })
  expect(texts(planned(kept.documents, kept.taken))).toEqual(texts(former(kept.taken)))
})

test('a time zone with a blank, which an upgrade to 25.12 turns into a line below, is no difference', () => {
  const zone = (name: string) =>
    `system.@system[0]=system\nsystem.@system[0].zonename='${name}'\nsystem.@system[0].timezone='EST5EDT,M3.2.0,M11.1.0'`
  const { documents, taken } = take(zone('America/New York'), /system/)
  const upgraded = readImported(sectionsOf(zone('America/New_York')), taken).blocks
  const { blocks } = planned(documents, taken)
  expect(blocks.map(block => upgraded.some(seen => driver.equal(block, seen)))).toEqual([true])
})

test('a manager that logs in with a password does not shut that door; one with a key does', () => {
  const { taken, documents } = take(recorded, /dropbear/)
  const off = changed(documents, 'system', { passwordLogin: 'off' })
  const by = (login: 'none' | 'password' | 'publickey') =>
    renderAll(driver.renderers, { ...input(off, taken), observation: { ...observation, login } })
  expect(by('password').warnings).toMatchObject([{ code: 'managerByPassword', blocks: true }])
  expect(by('none').warnings).toMatchObject([{ code: 'managerByPassword', blocks: true }])
  expect(by('publickey')).toMatchObject({
    warnings: [],
    blocks: [{ text: "dropbear.main.PasswordAuth='off'\ndropbear.main.RootPasswordAuth='off'" }],
  })
})

const lanText = (more: string) => `network.lan=interface
network.lan.device='br-lan'
network.lan.proto='static'
${more}`

test.each<[string, string, string | undefined]>([
  ['address and netmask in one', "network.lan.ipaddr='192.168.7.1/25'", '192.168.7.1/25'],
  ['a netmask that is none', "network.lan.ipaddr='192.168.7.1'\nnetwork.lan.netmask='255.0.255.0'", undefined],
  ['two addresses', "network.lan.ipaddr='192.168.7.1/24' '192.168.8.1/24'", undefined],
  ['no address', '', undefined],
])('an interface with %s', (_name, text, address) => {
  const { documents, taken } = take(lanText(text))
  expect(documents.find(one => one.kind === 'lan')?.data.address).toBe(address)
  if (!address) return
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
  const next = planned(changed(documents, 'lan', { address: '192.168.9.1/24' }), taken)
  expect(texts(next)).toEqual({ 'uci:network.lan': "network.lan.ipaddr='192.168.9.1/24'" })
})

const poolText = (more: string) =>
  `${lanText("network.lan.ipaddr='192.168.1.1'\nnetwork.lan.netmask='255.255.255.0'")}
dhcp.lan=dhcp
dhcp.lan.interface='lan'
${more}`

test.each<[string, string, object | undefined]>([
  ['nothing but its interface', '', { dhcp: true, poolStart: '192.168.1.100', poolEnd: '192.168.1.249', lease: 720 }],
  ['a lease in seconds', "dhcp.lan.leasetime='600'", { lease: 10 }],
  ['ignore', "dhcp.lan.ignore='1'", { dhcp: false }],
  ['options of its own', `dhcp.lan.dhcp_option='6,9.9.9.9' '66,"boot.test"'`, { dns1: '9.9.9.9' }],
  ['a lease without an end', "dhcp.lan.leasetime='infinite'", { dhcp: true, poolEnd: '192.168.1.249' }],
  ['an end beyond the segment', "dhcp.lan.start='200'\ndhcp.lan.limit='150'", { poolEnd: '192.168.1.254' }],
  ['a start beyond the segment', "dhcp.lan.start='300'", undefined],
])('a pool with %s', (_name, text, fields) => {
  const { documents, taken, items } = take(poolText(text), /dhcp/)
  expect(items.find(one => one.id === 'uci:dhcp.lan')?.state).toBe(fields ? 'unmanaged' : 'unsupported')
  if (!fields) return
  expect(documents[0]?.data).toMatchObject(fields)
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
})

const wifiText = (more: string, radio = '') => `network.lan=interface
network.lan.device='br-lan'
network.iot=interface
network.iot.device='br-lan.30'
wireless.radio0=wifi-device
wireless.radio0.band='2g'
wireless.radio0.channel='auto'
wireless.radio0.htmode='HT20'
${radio}
wireless.w=wifi-iface
wireless.w.device='radio0'
wireless.w.mode='ap'
wireless.w.network='lan'
wireless.w.ssid='It'\\''s'
${more}`

test('the recorded radios and their network: one document for both bands, and nothing to push', () => {
  const { taken, documents } = take(recorded, /wireless/)
  expect(documents.find(one => one.kind === 'ssid')?.data).toMatchObject({
    ...{ name: 'OpenWrt', bands: ['2g', '5g'], security: 'open', enabled: true },
  })
  expect(documents.find(one => one.kind === 'radio')?.data).toEqual({
    ...{ enabled2g: true, channel2g: 1, width2g: '20' },
    ...{ enabled5g: true, channel5g: 36, width5g: '80' },
  })
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
  const secured = changed(documents, 'ssid', { security: 'wpa2wpa3', key: 'correct horse', hidden: true })
  const next = planned(changed(secured, 'radio', { channel5g: 149, width5g: '40', power5g: 17, country: 'DE' }), taken)
  expect(commands(readImported(sectionsOf(recorded), taken), next).split('\n')).toEqual([
    ...['radio0', 'radio1'].flatMap(radio => [
      `set wireless.default_${radio}.encryption='sae-mixed'`,
      `set wireless.default_${radio}.hidden='1'`,
      `set wireless.default_${radio}.key='correct horse'`,
    ]),
    "set wireless.radio0.country='DE'",
    "set wireless.radio1.channel='149'",
    "set wireless.radio1.htmode='HE40'",
    "set wireless.radio1.country='DE'",
    "set wireless.radio1.txpower='17'",
    '',
  ])
})

test('a channel on which the radio listens for radar first is given the time for it', () => {
  const { taken, documents } = take(recorded, /radio1$/)
  const slow = (data: object) =>
    renderAll(driver.renderers, input(changed(documents, 'radio', data), taken)).slowSeconds
  expect(slow({})).toBe(0)
  expect(slow({ channel5g: 52, width5g: '20' })).toBe(listenSeconds('5g', 52, 20))
  expect(slow({ channel5g: 149 })).toBe(0)
})

test('a network that its document asks for no more is switched off, and stays otherwise as it was', () => {
  const { taken, documents } = take(recorded, /default_radio/)
  const off = (wanted: DesiredDocument[]) => commands(readImported(sectionsOf(recorded), taken), planned(wanted, taken))
  expect(off(changed(documents, 'ssid', { bands: ['5g'] }))).toBe("set wireless.default_radio0.disabled='1'\n")
  const none = "set wireless.default_radio0.disabled='1'\nset wireless.default_radio1.disabled='1'\n"
  expect(off(changed(documents, 'ssid', { enabled: false }))).toBe(none)
  expect(off([])).toBe(none)
})

test.each<[string, string, object | undefined]>([
  [
    'WPA2 with CCMP',
    "wireless.w.encryption='psk2+ccmp'\nwireless.w.key='hunter2 hunter2'",
    { security: 'wpa2', key: 'hunter2 hunter2' },
  ],
  [
    'defaults said in words',
    "wireless.w.disabled='0'\nwireless.w.hidden='no'\nwireless.w.dtim_period='2'",
    { security: 'open', hidden: false },
  ],
  ['a word for open of 25.12', "wireless.w.encryption='open'", { security: 'open' }],
  [
    'a word that netifd does not know',
    "wireless.w.disabled='on'\nwireless.w.hidden='yes'",
    { enabled: true, hidden: false },
  ],
  ['switched off', "wireless.w.disabled='1'", { enabled: false }],
  ['a filter', "wireless.w.macfilter='deny'\nwireless.w.maclist='02:00:00:00:00:01'", { macFilter: 'block' }],
  ['another network', "wireless.w.network='iot'", { vlan: 30 }],
  [
    'WEP in digits',
    "wireless.w.encryption='wep-open'\nwireless.w.key='0123ABCDEF'",
    { security: 'wep', key: '0123ABCDEF' },
  ],
  ['WEP in letters', "wireless.w.encryption='wep'\nwireless.w.key='s:pa ss'", { security: 'wep', key: 'pa ss' }],
  ['the oldest security', "wireless.w.encryption='psk'\nwireless.w.key='hunter2 hunter2'", undefined],
  ['a server’s security', "wireless.w.encryption='wpa2'\nwireless.w.auth_server='192.0.2.1'", undefined],
  ['no key', "wireless.w.encryption='psk2'", undefined],
  ['another purpose', "wireless.w.mode='sta'", undefined],
])('a wireless network with %s', (_name, text, fields) => {
  const { items, documents, taken } = take(wifiText(text), /wireless\.w$/)
  expect(items.find(one => one.id === 'uci:wireless.w')?.state).toBe(fields ? 'unmanaged' : 'unsupported')
  if (!fields) return
  expect(documents[0]?.data).toMatchObject({ name: "It's", bands: ['2g'], ...fields })
  if (!('vlan' in fields)) expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
})

test.each([
  ["encryption='wpa2+ccmp'\nwireless.w.auth_server='192.0.2.1'", 'enterprise'],
  ["encryption='wpa3-mixed'", 'enterprise'],
  ["encryption='wep-open'\nwireless.w.key='2'\nwireless.w.key2='0123456789'", 'wep'],
  ["encryption='wep-shared'\nwireless.w.key='0123456789'", 'wep'],
  ["encryption='psk-mixed'\nwireless.w.key='hunter2 hunter2'", 'oldSecurity'],
  ["encryption='psk2+tkip+ccmp'\nwireless.w.key='hunter2 hunter2'", 'oldSecurity'],
  ["encryption='psk2'", 'noSetting'],
])('why a wireless network with %s stays as it is: %s', (text, why) => {
  const item = unmanagedItems(wifiText(`wireless.w.${text}`), []).find(one => one.id === 'uci:wireless.w')
  expect(item).toMatchObject({ state: 'unsupported', why })
})

test('a WEP key that was taken over in letters is written in digits once it is another one', () => {
  const { documents, taken } = take(wifiText("wireless.w.encryption='wep'\nwireless.w.key='s:pa ss'"), /wireless\.w$/)
  const seen = readImported(sectionsOf(wifiText("wireless.w.encryption='wep'\nwireless.w.key='s:pa ss'")), taken)
  const next = planned(changed(documents, 'ssid', { key: 'other' }), taken)
  expect(commands(seen, next)).toBe("set wireless.w.key='6f74686572'\n")
})

test.each<[string, string, object]>([
  ['an automatic channel', '', { channel2g: 0, width2g: '20', enabled2g: true }],
  ['its factory state', "wireless.radio0.disabled='1'", { enabled2g: false, channel2g: 0, width2g: '20' }],
  ['40 MHz below', "wireless.radio0.htmode='HT40-'", { width2g: '40' }],
  [
    'a power and a country',
    "wireless.radio0.txpower='20'\nwireless.radio0.country='DE'",
    { power2g: 20, country: 'DE' },
  ],
])('a radio with %s', (_name, text, fields) => {
  const { documents, taken } = take(wifiText('', text), /radio0/)
  expect(documents.find(one => one.kind === 'radio')?.data).toMatchObject(fields)
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
})

test('a radio of 6 GHz in its factory state has no country, whatever it says: settings put theirs', () => {
  const { documents, taken } = take(wifiText('', "wireless.radio0.country='00'").replace("'2g'", "'6g'"), /radio0/)
  expect(documents.find(one => one.kind === 'radio')?.data).toEqual({ enabled6g: true, channel6g: 0, width6g: '20' })
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
  const next = planned(changed(documents, 'radio', { country: 'DE' }), taken)
  expect(commands(former(taken), next)).toBe("set wireless.radio0.country='DE'\n")
})

test.each([
  ['EHT160', '320', 'EHT320', []],
  ['EHT320', '160', 'EHT160', []],
  ['EHT320', '320', undefined, []],
  ['HE80', '320', 'HE160', [{ radio: 'radio0', asked: 320, width: 160 }]],
  ['HE160', '320', undefined, [{ radio: 'radio0', asked: 320, width: 160 }]],
])('a radio of 6 GHz on %s that is to be %s MHz wide: %s', (former, width6g, mode, narrowed) => {
  const text = wifiText('', `wireless.radio0.htmode='${former}'`).replace("'2g'", "'6g'")
  const { documents, taken } = take(text, /radio0/)
  const wanted = changed(documents, 'radio', { width6g })
  const told = renderAll(driver.renderers, input(wanted, taken)).warnings.filter(one => one.code === 'radioWidth')
  expect(told.map(one => one.values)).toEqual(narrowed)
  const set = commands(readImported(sectionsOf(text), taken), planned(wanted, taken))
  expect(set).toBe(mode ? `set wireless.radio0.htmode='${mode}'\n` : '')
})

test('a radio whose channel settings cannot say keeps it; the rest of it is offered', () => {
  const items = unmanagedItems(wifiText('', "wireless.radio0.channel='77'\nwireless.radio0.htmode='NOHT'"), [])
  const offered = items.find(one => one.id === 'uci:wireless.radio0')?.options.filter(one => one.kind !== undefined)
  expect(offered?.map(one => one.option)).toEqual(['country', 'disabled', 'txpower'])
})

describe('what somebody changed of a radio on the device', () => {
  const text = wifiText('', "wireless.radio0.txpower='20'\nwireless.radio0.country='DE'\nwireless.radio0.disabled='0'")
  const { documents, taken } = take(text, /radio0/)
  const adopted = (from: string, to: string) => {
    const [seen] = readImported(sectionsOf(text.replace(from, to)), taken).blocks
    return seen && adoptBlock(driver, input(documents, taken), seen)
  }

  test.each<[string, string, object]>([
    ["channel='auto'", "channel='11'", { channel2g: 11 }],
    ["htmode='HT20'", "htmode='HT40'", { width2g: '40' }],
    ["txpower='20'", "txpower='12'", { power2g: 12 }],
    ["country='DE'", "country='FR'", { country: 'FR' }],
    ["disabled='0'", "disabled='1'", { enabled2g: false }],
    [
      "channel='auto'\nwireless.radio0.htmode='HT20'",
      "channel='1'\nwireless.radio0.htmode='HT40'",
      { channel2g: 1, width2g: '40' },
    ],
  ])('%s that is %s now is taken into the settings', (from, to, fields) =>
    expect(adopted(from, to)).toEqual([{ document: 'radio', fields }]),
  )

  test.each(['', "\nwireless.radio0.disabled='0'"])('a radio in its factory state that was switched on by %j', on => {
    const off = take(wifiText('', "wireless.radio0.disabled='1'"), /radio0/)
    const [seen] = readImported(sectionsOf(wifiText('', on.trim())), off.taken).blocks
    expect(seen && adoptBlock(driver, input(off.documents, off.taken), seen)).toEqual([
      { document: 'radio', fields: { enabled2g: true } },
    ])
  })

  test.each([
    ["channel='auto'", "channel='77'"],
    ["htmode='HT20'", "htmode='NOHT'"],
    ["htmode='HT20'", "htmode='HT40+'"],
    ["txpower='20'", "txpower='99'"],
    ["country='DE'", "country='none'"],
    ["country='DE'", "country='00'"],
    ["wireless.radio0.txpower='20'", ''],
  ])('%s that is %s now can be put back alone', (from, to) => expect(adopted(from, to)).toBeUndefined())
})

test('a rule about a network that was taken over is in the zone that the network is in', () => {
  const text = `${lanText("network.lan.ipaddr='192.168.1.1/24'")}
network.iot=interface
network.iot.device='br-lan.30'
network.iot.proto='static'
network.iot.ipaddr='192.168.30.1/24'
firewall.@zone[0]=zone
firewall.@zone[0].name='things'
firewall.@zone[0].network='iot'
`
  const { taken, documents } = take(text, /iot/)
  const lan = documents.find(one => one.kind === 'lan')
  const rule = { name: 'r', from: 'lan', fromLan: lan?.data, to: 'wan', protocol: 'any' }
  const { blocks } = renderAll(
    driver.renderers,
    input([...documents, { id: 'r', kind: 'wiredRule', name: 'r', data: rule }], taken),
  )
  expect(blocks.find(block => block.id.startsWith('uci:firewall.lw_rule'))?.text).toContain(".src='things'")
  expect(blocks.filter(block => block.id.includes('lw_lan30'))).toEqual([])
})

const valid = times(1000, 150)
test(`${valid} valid networks in taken sections read back as they were set`, () => {
  const random = randomOf(7)
  const ids = Object.fromEntries(Object.values(ssid.refs).map(kind => [kind, [randomUUID()]]))
  const all = { ssid: null, encryption: null, key: null, hidden: null, isolate: null, maclist: null, maxassoc: null }
  const item = { id: 'uci:wireless.w', options: all, about: { type: 'wifi-iface', device: 'radio0' }, document: 'd' }
  for (let at = 0; at < valid; at++) {
    const made = randomDocument(ssid, random, { ids })
    const { radius: _radius, schedule: _schedule, ...own } = made
    const data: Record<string, unknown> = { ...own, enabled: true, bands: ['2g'], vlan: undefined }
    const { blocks } = renderAll(driver.renderers, input([{ id: 'd', kind: 'ssid', name: 'd', data }], [item]))
    const block = blocks.find(one => one.item === item.id)
    const options = sectionsOf(`wireless.w=wifi-iface\n${unmarked(block?.text ?? '')}`)[0]?.options
    expect(options?.get('ssid')).toEqual([data.name])
    if (/^wpa/.test(String(data.security)) && data.key) expect(options?.get('key')).toEqual([data.key])
    if (data.macFilter !== 'off') expect(options?.get('maclist')).toEqual(data.macList)
  }
})

test('what a device says is bounded, and what looks like a secret is hidden', () => {
  const long = 'x'.repeat(100_000)
  const many = Array.from({ length: 3_000 }, (_, at) => `junk.s${at}=thing\njunk.s${at}.a='${at}'`).join('\n')
  const text = `${many}\nddns.my=service\nddns.my.password='hunter2'\nddns.my.text='${long}'\nsystem.@system[0]=system\nsystem.@system[0].log_ip='${long}'\n"; rm -rf /\nnetwork.x.y=1\n`
  const items = unmanagedItems(text, [])
  expect(items).toHaveLength(500)
  expect(items[0]).toMatchObject({ id: 'uci:system.@system[0]', state: 'unmanaged' })
  expect(items[0]?.options.find(one => one.option === 'log_ip')).toEqual({
    option: 'log_ip',
    value: expect.stringMatching(/^'x{1999}…$/),
  })
  const ddns = unmanagedItems("ddns.my=service\nddns.my.password='hunter2'\n", [])
  expect(ddns[0]?.options).toEqual([{ option: 'password', value: "'\uE000hunter2\uE001'" }])
})

test('values with quotes and line breaks read back as they are', () => {
  const text =
    "x.s=t\nx.s.a='it'\\''s'\nx.s.b='one\ntwo='\\'''\nx.s.c='p' 'q r'\nx.s.d='back\\' 'slash'\nx.s.e='1\n\n2'\n"
  expect([...(sectionsOf(text)[0]?.options ?? [])]).toEqual([
    ['a', ["it's"]],
    ['b', ["one\ntwo='"]],
    ['c', ['p', 'q r']],
    ['d', ['back\\', 'slash']],
    ['e', ['1\n\n2']],
  ])
})

test('a network that was taken over can ask a RADIUS server: what that needs is owned with it, or the push is stopped', () => {
  const { taken, documents } = take(recorded, /default_radio0/)
  const radius = { name: 'Office', server: '10.0.0.9', secret: 'shared', accounting: true }
  const staff = changed(documents, 'ssid', { security: 'wpa2Enterprise', radius })
  const sent = unmarked(commands(readImported(sectionsOf(recorded), taken), planned(staff, taken)))
  expect(sent).toContain("set wireless.default_radio0.auth_server='10.0.0.9'\n")
  expect(sent).toContain("set wireless.default_radio0.acct_secret='shared'\n")
  const back = unmarked(commands(planned(staff, taken), former(taken)))
  expect(back.match(/^delete wireless\.default_radio0\.(auth|acct|nasid)\w*$/gm)).toHaveLength(8)
  const before = taken.map(one => ({ ...one, options: { ssid: "'OpenWrt'", encryption: "'none'" } }))
  const { warnings } = renderAll(driver.renderers, input(staff, before))
  expect(warnings).toContainEqual(
    expect.objectContaining({
      ...{ code: 'ssidImportedPart', blocks: true },
      values: { ssid: 'OpenWrt', options: 'auth_server, auth_port, auth_secret' },
    }),
  )
  const fast = renderAll(driver.renderers, input(changed(documents, 'ssid', { fastRoaming: true }), taken)).warnings
  expect(fast.map(one => one.code)).toContain('ssidImportedLeft.fastRoaming')
})

test('what a document asks for beyond the options that were taken over is said, option by option', () => {
  const { taken, documents } = take(recorded, /default_radio0/)
  const few = taken.map(one => ({ ...one, options: { ssid: "'OpenWrt'", encryption: "'none'", key: null } }))
  const left = (data: object) =>
    renderAll(driver.renderers, input(changed(documents, 'ssid', data), few)).warnings.flatMap(one =>
      one.code === 'ssidImportedLeft.options' ? [one.values?.options] : [],
    )
  expect(left({ enabled: true })).toEqual([])
  expect(left({ hidden: true, maxClients: 5, security: 'wpa2', key: 'correct horse' })).toEqual(['hidden, maxassoc'])
  const all = renderAll(driver.renderers, input(changed(documents, 'ssid', { hidden: true }), taken)).warnings
  expect(all.map(one => one.code)).not.toContain('ssidImportedLeft.options')
})

test.each<[string, string]>([
  ["dhcp.lan.leasetime='12h'", "dhcp.lan.leasetime='720m'"],
  ["dhcp.lan.leasetime='12h'", "dhcp.lan.leasetime='43200'"],
  ["dhcp.lan.leasetime='12h'", ''],
  ["dhcp.lan.limit='150'", ''],
  ["dhcp.lan.ignore='1'", "dhcp.lan.dhcpv4='disabled'"],
  ["dhcp.lan.dhcp_option='6,9.9.9.9' '15,\"x.test\"'", "dhcp.lan.dhcp_option='15,x.test' '6,9.9.9.9'"],
  ["network.lan.ipaddr='192.168.1.1/24'", "network.lan.netmask='255.255.255.0'\nnetwork.lan.ipaddr='192.168.1.1'"],
  ["wireless.w.hidden='true'", "wireless.w.hidden='1'"],
  ["wireless.w.disabled='on'", "wireless.w.disabled='0'"],
  ["wireless.w.encryption='open'", "wireless.w.encryption='none'"],
  ["system.@system[0].zonename='America/New York'", "system.@system[0].zonename='America/New_York'"],
  ["wireless.w.maclist='a' 'b'", "wireless.w.maclist='a b'"],
  ["wireless.w.isolate='0'", ''],
  ["wireless.w.encryption='psk2+ccmp'", "wireless.w.encryption='psk2'"],
  ["wireless.radio0.channel='0'", "wireless.radio0.channel='auto'"],
  ["system.@system[0].log_port='514'", ''],
  ["dropbear.main.PasswordAuth='on'", "dropbear.main.PasswordAuth='1'"],
  ["firewall.@zone[0].input='accept'", "firewall.@zone[0].input='ACCEPT'"],
])('%s says the same as %s', (one, other) => {
  const block = (text: string) => ({ id: 'uci:x', text })
  expect(driver.equal(block(one), block(other))).toBe(true)
  expect(driver.equal(block(other), block(one))).toBe(true)
})

test.each<[string, string]>([
  ["dhcp.lan.leasetime='12h'", "dhcp.lan.leasetime='12m'"],
  ["dhcp.lan.leasetime='infinite'", "dhcp.lan.leasetime='12h'"],
  ["network.lan.ipaddr='192.168.1.1'\nnetwork.lan.netmask='255.255.0.0'", "network.lan.ipaddr='192.168.1.1/24'"],
  ["wireless.w.hidden='1'", ''],
  ["wireless.w.ssid='a' 'b'", "wireless.w.ssid='a b'"],
  ["firewall.@zone[0].input='DROP'", "firewall.@zone[0].input='REJECT'"],
])('%s says another thing than %s', (one, other) => {
  expect(driver.equal({ id: 'uci:x', text: one }, { id: 'uci:x', text: other })).toBe(false)
})

test('a network keeps its name towards others whatever networks come before it', () => {
  const network = (id: string, name: string) => ({
    ...{ id, kind: 'ssid', name },
    data: { name, security: 'wpa3', key: 'correct horse', fastRoaming: true, bands: ['2g'] },
  })
  const namesOf = (documents: DesiredDocument[]) =>
    planned(documents, []).blocks.flatMap(one => /nasid='(.*)'/.exec(one.text)?.[1] ?? [])
  const [alone] = namesOf([network('b', 'Beta')])
  expect(namesOf([network('a', 'Alpha'), network('b', 'Beta')])).toEqual([
    expect.not.stringMatching(String(alone)),
    alone,
  ])
})

test('a value with a line break is shown and stays: it is no line that could be put back', () => {
  const text =
    "system.@system[0]=system\nsystem.@system[0].hostname='two\nlines'\nsystem.@system[0].log_ip='192.0.2.1'\n"
  const [item] = unmanagedItems(text, [])
  expect(item?.options.find(one => one.option === 'hostname')).toEqual({ option: 'hostname', value: "'two\nlines'" })
  expect(item?.options.find(one => one.option === 'log_ip')).toMatchObject({ kind: 'system', field: 'syslog' })
})
