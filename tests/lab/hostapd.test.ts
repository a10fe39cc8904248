import type { DesiredDocument, NativeBlock } from '@/server/drivers/driver'
import { blockedPath } from '@/server/drivers/linux/wifi/hostapd-conf'
import { wifiRenderer } from '@/server/drivers/linux/wifi/wifi'
import type { Radio } from '@/server/drivers/observation'
import { decodeSsid } from '@/server/drivers/unix/hostapd'
import { unmarked } from '@/server/drivers/unix/secret'
import { fc } from '../_property'
import { ssidDocument } from './_device'
import { lab } from './_lab'

// What the renderer writes, read by the hostapd that Debian ships.

beforeAll(async () => {
  await lab.up()
  await lab.sh('ap1', `echo '# none' >${blockedPath}`)
})
afterAll(() => lab.sh('ap1', `rm ${blockedPath}`))

const facts = { kind: 'ap' as const, capabilities: ['systemd', 'hostapd', 'wifi', 'root'] }
const card: Radio = { key: 'phy0', name: 'phy0', driver: 'nl80211', interface: 'wlan0', bridge: 'br-lan', maxBss: 8 }
const bare: Radio = { key: 'wlan0', name: 'wlan0', driver: 'none', interface: 'wlan0', bridge: 'br-lan', maxBss: 1 }

function conf(radio: Radio, documents: DesiredDocument[]) {
  const observation = { takenAt: 0, depth: 'full' as const, radios: [radio] }
  const { blocks, warnings } = wifiRenderer.render({ facts, observation, documents, confirmSeconds: 60 })
  return { text: unmarked(blocks.find(block => block.id.startsWith('file:/etc/hostapd/'))?.text ?? ''), warnings }
}

const read = 'cat >/tmp/c.conf; timeout 60 hostapd /tmp/c.conf 2>&1'

/** What hostapd says of a configuration, up to the first thing that is not about the file. */
async function complaints(text: string): Promise<string[]> {
  const { stdout, stderr } = await lab.in('ap1', ['sh', '-c', read], { input: text })
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter(line => /^Line \d+|errors? found|Invalid|Failed to set up/i.test(line))
}

/** What hostapd says of itself once it runs with a file, and its log. */
async function runs(text: string): Promise<string> {
  const script = `cat >/tmp/n.conf; hostapd -B -P /tmp/n.pid /tmp/n.conf >/tmp/n.log 2>&1
    hostapd_cli -p /run/hostapd -i wlan0 status; hostapd_cli -p /run/hostapd -i wlan0 get_config
    kill "$(cat /tmp/n.pid)"; while [ -e /run/hostapd/wlan0 ]; do sleep 0.05; done; cat /tmp/n.log`
  return (await lab.in('ap1', ['sh', '-c', script], { input: text })).stdout
}

const six = [
  { security: 'open' },
  { security: 'owe' },
  { security: 'wpa2', key: 'a'.repeat(63), hidden: true },
  { security: 'wpa2', key: '0123456789abcdef'.repeat(4), maxClients: 127 },
  { security: 'wpa2wpa3', isolation: true, dtim: 10 },
  { security: 'wpa3', schedule: { name: 'Office', weekly: 'mon 08:00-09:00' } },
].map((data, at) => ssidDocument(String(at), { name: `Network ${at}`, bands: ['2g', '5g'], ...data }))

test.each([
  ['2.4 GHz', { ...card, band: '2g', country: 'DE' }],
  ['5 GHz', { ...card, band: '5g', country: 'DE' }],
  ['without a country', { ...card, band: '5g' }],
] as [string, Radio][])('six networks of every security on %s: no bad line', async (_name, radio) => {
  const { text, warnings } = conf(radio, six)
  expect(text.match(/^ssid2=/gm)).toHaveLength(6)
  expect(text.match(/^bss=/gm)).toHaveLength(5)
  expect(/^country_code=DE$/m.test(text)).toBe(radio.country === 'DE')
  expect(warnings.map(warning => warning.code)).toEqual(radio.country ? [] : ['countryMissing'])
  expect(await complaints(text)).toEqual([])
  // As the device writes a network whose schedule is off.
  const off = text.replace(/^# schedule s.+$/m, 'start_disabled=1')
  expect(off).not.toBe(text)
  expect(await complaints(off)).toEqual([])
})

const wide = [20, 40, 80, 160]
const can = { channels: [6, 36, 37, 52, 100, 157], widths: wide, ax: true }
test.each([
  ['2g', { channel2g: 6, width2g: '40', oldRates: false }],
  ['2g', { channel2g: 0 }],
  ['5g', { channel5g: 36, width5g: '160' }],
  ['5g', { channel5g: 157, width5g: '40' }],
  ['5g', { channel5g: 100, width5g: '80' }],
  ['6g', { channel6g: 37, width6g: '160' }],
] as const)('a radio on %s set to %j: no bad line, nothing that hostapd finds impossible', async (band, set) => {
  const radio = { ...card, band, country: 'DE', can: { [band]: can } }
  const documents = [
    ssidDocument('1', { name: 'Wide', security: 'owe', key: undefined, bands: [band] }),
    { id: 'radio', kind: 'radio', name: '', data: set },
  ]
  const { text, warnings } = conf(radio, documents)
  expect(warnings).toEqual([])
  expect(text).toContain('ieee80211ax=1')
  expect(await complaints(text)).toEqual([])
})

const macList = ['02:00:00:00:00:01', '02:00:00:00:00:02']
const radius = {
  name: 'Office',
  server: '10.77.0.9',
  secret: 'a "b" # \\ $(id)',
  secondServer: 'fd00::9',
  secondSecret: 'two',
}
const every = [
  { security: 'wpa2', fastRoaming: true, macFilter: 'allow', macList, neighborReports: true },
  { security: 'wpa2wpa3', fastRoaming: true, transitionManagement: true, macFilter: 'block', macList },
  { security: 'wpa3', fastRoaming: true, stationTimeout: 3600, beaconInterval: 250 },
  { security: 'wep', key: 'abcde' },
  { security: 'wpa2Enterprise', radius: { ...radius, accounting: true }, key: undefined, fastRoaming: true },
  { security: 'wpa2wpa3Enterprise', radius, key: undefined },
  { security: 'wpa3Enterprise', radius, key: undefined },
].map((data, at) => ssidDocument(String(at), { name: `Network ${at}`, minRssi: -80 + at, minRate: 12 + at, ...data }))

test.each(['2g', '5g'] as const)('every option on %s: no bad line, and one value for the radio', async band => {
  const { blocks, warnings } = wifiRenderer.render({
    facts,
    observation: { takenAt: 0, depth: 'full', radios: [{ ...card, band, country: 'DE' }] },
    documents: every,
    confirmSeconds: 60,
  })
  expect(warnings).toEqual([])
  for (const { id, text } of blocks.filter(block => block.id.endsWith('.macs'))) {
    expect(text.split('\n').slice(1, -1)).toEqual(id.endsWith('-blocked.macs') ? [] : macList)
    await lab.in('ap1', ['sh', '-c', `cat >${id.replace('file:', '')}`], { input: text })
  }
  const text = unmarked(blocks.find(block => block.id.endsWith('/lanward-phy0.conf'))?.text ?? '')
  expect(text).toMatch(/^beacon_int=250$/m)
  expect(text).toMatch(/^rssi_reject_assoc_rssi=-80$/m)
  expect(text).toMatch(/^supported_rates=120 180 240 360 480 540$/m)
  expect(text.match(/^wpa_key_mgmt=.*$/gm)).toEqual([
    'wpa_key_mgmt=WPA-PSK FT-PSK',
    'wpa_key_mgmt=WPA-PSK SAE FT-PSK FT-SAE',
    'wpa_key_mgmt=SAE FT-SAE',
    'wpa_key_mgmt=WPA-EAP FT-EAP',
    'wpa_key_mgmt=WPA-EAP WPA-EAP-SHA256',
    'wpa_key_mgmt=WPA-EAP-SHA256',
  ])
  expect(await complaints(text)).toEqual([])
  await lab.sh('ap1', 'rm -f /etc/hostapd/lanward-phy0-*.macs')
})

test('private keys with VLANs: no bad line in any of their files', async () => {
  const network = { name: 'Rooms', security: 'ppsk' }
  const keys = ['a "b" # 12', '0123456789abcdef'.repeat(4), '  blanks first'].map((key, at) => ({
    id: `key${at}`,
    kind: 'ppsk',
    name: `Key ${at}`,
    data: { name: `Key ${at}`, key, ssid: network, vlan: 20 + at },
  }))
  const interfaces = [20, 21, 22].map(vlan => ({
    ...{ key: `eth0.${vlan}`, name: `eth0.${vlan}`, type: 'vlan' as const, master: `br${vlan}` },
  }))
  const { blocks } = wifiRenderer.render({
    facts,
    observation: { takenAt: 0, depth: 'full', radios: [{ ...card, band: '2g', country: 'DE' }], interfaces },
    documents: [ssidDocument('1', { ...network, key: undefined }), ...keys],
    confirmSeconds: 60,
  })
  const put = async (end: string, text = unmarked(blocks.find(block => block.id.endsWith(end))?.text ?? '')) => {
    await lab.in('ap1', ['sh', '-c', `cat >/etc/hostapd/lanward-phy0-1${end}`], { input: text })
    return text
  }
  expect(await put('.psk')).toMatch(/vlanid=22 00:00:00:00:00:00 {3}blanks first$/m)
  expect(await put('.vlans')).toContain('22 wlan0.22 br22')
  const text = unmarked(blocks.find(block => block.id.endsWith('/lanward-phy0.conf'))?.text ?? '')
  expect(await complaints(text)).toEqual([])
  await put('.vlans', '20\n')
  expect(await complaints(text)).not.toEqual([])
  await lab.sh('ap1', 'rm -f /etc/hostapd/lanward-phy0-1.*')
})

test('private keys with WPA3, some with VLANs: no bad line, and hostapd runs with them', async () => {
  const network = { name: 'Rooms', security: 'ppskWpa3' }
  const keys = ['a "b" | # 12', '  blanks first'].map((key, at) => ({
    id: `key${at}`,
    kind: 'ppsk',
    name: `Key ${at}`,
    data: { name: `Key ${at}`, key, ssid: network, mac: `02:00:00:00:00:0${at}`, ...(at === 0 && { vlan: 20 }) },
  }))
  const interfaces = [{ key: 'eth0.20', name: 'eth0.20', type: 'vlan' as const, master: 'br20' }]
  const render = (radio: Radio) =>
    wifiRenderer.render({
      facts,
      observation: { takenAt: 0, depth: 'full', radios: [radio], interfaces },
      documents: [ssidDocument('1', { ...network, key: undefined }), ...keys],
      confirmSeconds: 60,
    }).blocks
  const put = async (blocks: NativeBlock[]) => {
    const file = blocks.find(block => block.id.endsWith('.vlans'))
    await lab.in('ap1', ['sh', '-c', `cat >${file?.id.replace('file:', '')}`], { input: file?.text ?? '' })
    return unmarked(blocks.find(block => block.id.endsWith('.conf'))?.text ?? '')
  }
  const text = await put(render({ ...card, band: '5g', country: 'DE' }))
  expect(text).toContain('\nsae_password=  blanks first|mac=02:00:00:00:00:01\n')
  expect(text).toContain('|mac=02:00:00:00:00:00|vlanid=20\n')
  expect(await complaints(text)).toEqual([])
  expect(await complaints(text.replace('|mac=02:00:00:00:00:01', '|mac=02'))).not.toEqual([])
  const now = await put(render(bare))
  expect(await runs(now)).toMatch(/^state=ENABLED$/m)
  expect(now).toContain('\nsae_password=')
  await lab.sh('ap1', 'rm -f /etc/hostapd/lanward-*-1.vlans')
})

test('6 GHz takes WPA3 and Enhanced Open', async () => {
  const documents = [six[1], six[5]].map(one => ssidDocument(one?.id ?? '', { ...one?.data, bands: ['6g'] }))
  const { text } = conf({ ...card, band: '6g', country: 'DE' }, documents)
  expect(text.match(/^ssid2=/gm)).toHaveLength(2)
  expect(await complaints(text)).toEqual([])
})

test('hostapd does complain where something is wrong', async () => {
  const { text } = conf({ ...card, band: '2g' }, six)
  expect(await complaints(text.replace('auth_algs', 'auth_algorithms'))).not.toEqual([])
})

const byte = fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code))
const ssid = fc
  .array(fc.oneof(byte, fc.constantFrom('"', '\\', "'", '#', '$', 'é', '漢', '😀', '\\x41', 'P"')), {
    minLength: 1,
    maxLength: 30,
  })
  .map(list => list.join(''))
  .filter(text => Buffer.byteLength(text) <= 32 && text.trim() === text && text !== '')
const key = fc.array(byte, { minLength: 8, maxLength: 63 }).map(list => list.join(''))

test('every name and every passphrase arrive as they are', async () => {
  const cases = fc.sample(fc.record({ name: ssid, key }), 12)
  for (const { name, key: secret } of cases) {
    const { text } = conf(bare, [ssidDocument('1', { name, key: secret })])
    expect(text).not.toMatch(/country_code|^bss=/m)
    const stdout = await runs(text)
    expect(stdout).toMatch(/^state=ENABLED$/m)
    expect(decodeSsid(/^ssid\[0\]=(.*)$/m.exec(stdout)?.[1] ?? '')).toBe(name)
    expect(text).toContain(`\nwpa_passphrase=${secret}\n`)
  }
})
