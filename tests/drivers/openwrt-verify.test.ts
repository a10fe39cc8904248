import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NativeBlock } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { verifyWireless } from '@/server/drivers/openwrt/wifi/wifi-check'
import { words } from './openwrt-server'
import { type Answer, startSshServer } from './ssh-server'

// What netifd (wireless_device_status), hostapd and the system's own files say of a radio while it is set up anew, and after.

const shown = (section: string, type: string, options: Record<string, string>): NativeBlock => ({
  id: `uci:wireless.${section}`,
  text: [
    ...(section.startsWith('lw_') ? [`wireless.${section}=${type}`] : []),
    ...Object.entries(options).map(([option, value]) => `wireless.${section}.${option}='${value}'`),
  ].join('\n'),
})
const network = (options: Record<string, string> = {}) =>
  shown('lw_a_radio0', 'wifi-iface', { device: 'radio0', mode: 'ap', ...options })
const taken = (section: string, options: Record<string, string>): NativeBlock => ({
  ...shown(section, '', options),
  item: `uci:wireless.${section}`,
})
type Radio = { pending?: boolean; retry_setup_failed?: boolean; interfaces?: object[] }
const radio = ({ pending = false, retry_setup_failed = false, interfaces }: Radio = {}) => ({
  radio0: {
    ...{ up: !pending, pending, autostart: true, disabled: false, retry_setup_failed },
    interfaces: interfaces ?? [{ section: 'lw_a_radio0', ifname: 'phy0-ap0', config: { mode: 'ap' } }],
  },
})

const running: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

/** A device that answers to these commands; to any other it says nothing. `files`: to the one that reads its files. */
async function open(
  wireless: () => object,
  more: Record<string, string> = {},
  files: string | ((script: string) => string) = '',
) {
  const answers: Record<string, string> = {
    'ubus list': 'system\nnetwork.wireless\nnetwork.interface\nhostapd.phy0-ap0\n',
    'ubus call system board': '{}',
    'ubus call hostapd.phy0-ap0 get_status': '{"status":"ENABLED"}',
    ...more,
  }
  const answer = (line: string): Answer => {
    const [shell, option, script = ''] = words(line)
    const asked = words(line).join(' ')
    if (shell === 'sh' && option === '-c') return { stdout: typeof files === 'string' ? files : files(script) }
    if (asked === 'ubus call network.wireless status') return { stdout: JSON.stringify(wireless()) }
    return { code: 0, stdout: answers[asked] ?? '' }
  }
  const server = await startSshServer({ auth: ({ method }) => method === 'none', exec: answer })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  running.push({ close: async () => driver.close(session) }, server)
  return session
}

test('a radio that is being set up anew is waited for, though hostapd still says what it did before', async () => {
  let asked = 0
  const session = await open(() => radio({ pending: ++asked < 3 }))
  expect(await driver.selfCheck(session, { blocks: [network()] })).toEqual([])
  expect(asked).toBe(3)
})

test.each([
  ['has not connected', false, 'meshAwaited'],
  ['has connected', true, 'hostapdDown'],
])('25.12: a network that is off beside a mesh that %s', async (_name, carrier, code) => {
  const interfaces = [
    { section: 'lw_a_radio0', ifname: 'phy0-ap0', config: { mode: 'ap' } },
    { section: 'lw_mesh', ifname: 'phy0-mesh0', config: { mode: 'mesh' } },
  ]
  const session = await open(() => radio({ interfaces }), {
    'ubus list': 'system\nnetwork.wireless\nnetwork.device\nhostapd.phy0-ap0\n',
    'ubus call hostapd.phy0-ap0 get_status': '{"status":"DISABLED"}',
    'ubus call network.device status {"name":"phy0-mesh0"}': JSON.stringify({ carrier }),
  })
  const found = await verifyWireless(session, [network()], 0)
  expect(found).toMatchObject([{ code, values: { radio: 'radio0', state: 'DISABLED' } }])
})

const airs = 'air phy0-ap1\nsecured\nair phy0-ap0\n'
test.each([
  ['WPA2', 'psk2', 'secured\n', undefined],
  ['WPA2 that runs open', 'psk2', '', 'OPEN'],
  ['WEP that runs open, as the scripts of 25.12 leave it', 'wep-open', '', 'OPEN'],
  ['Enhanced Open that runs open', 'owe', 'air phy0-ap2\nsecured\n', 'OPEN'],
  ['an open network', 'none', '', undefined],
])('%s: what hostapd was told is what counts', async (_name, encryption, then, state) => {
  const session = await open(radio, {}, airs + then)
  const found = await verifyWireless(session, [network({ encryption })], 0)
  expect(found.map(one => one.values)).toEqual(state ? [{ radio: 'radio0', state }] : [])
})

test('of an imported network the same is proven', async () => {
  const interfaces = [{ section: 'w', ifname: 'phy0-ap0', config: { mode: 'ap' } }]
  const session = await open(() => radio({ interfaces }), {}, airs)
  const found = await verifyWireless(session, [taken('w', { encryption: 'psk2', ssid: 'a' })], 0)
  expect(found).toMatchObject([{ code: 'hostapdDown', values: { radio: 'radio0', state: 'OPEN' } }])
})

test('hostapd’s own files and the bridges are read on the device, and no key leaves it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wifi-'))
  const air =
    'driver=nl80211\ninterface=phy0-ap0\nbssid=02:00:00:00:00:01\nwpa=0\nbss=phy0-ap1\nwpa=2\nwpa_key_mgmt=SAE\n'
  writeFileSync(join(folder, 'hostapd-phy0.conf'), `${air}wpa_passphrase=s3cret\n`)
  writeFileSync(join(folder, 'hostapd-phy1.conf'), 'interface=phy1-ap0\nwep_key0=6162636465\n')
  mkdirSync(join(folder, 'net/phy0-ap1'), { recursive: true })
  mkdirSync(join(folder, 'net/br-lan'))
  symlinkSync('../br-lan', join(folder, 'net/phy0-ap1/master'))
  let told = ''
  const read = (script: string) => {
    const here = script.replaceAll('/var/run/', `${folder}/`).replaceAll('/sys/class/net/', `${folder}/net/`)
    told = execFileSync('/bin/sh', ['-c', here], { encoding: 'utf8' })
    return told
  }
  const session = await open(radio, {}, read)
  const found = await verifyWireless(session, [network({ encryption: 'sae' })], 0)
  rmSync(folder, { recursive: true })
  expect(found).toMatchObject([{ values: { state: 'OPEN' } }])
  const sent = ['air phy0-ap0', 'air phy0-ap1', 'secured', 'air phy1-ap0', 'secured']
  expect(told.split('\n')).toEqual([...sent, 'link br-lan ', 'link phy0-ap1 br-lan', ''])
})

const logged = `Sat Nov 28 10:00:00 2026 daemon.notice netifd: radio1 (900): wifi-scripts: htmode: HT999 has to be one of [ "HT20" ]
Sat Nov 28 10:00:01 2026 daemon.notice netifd: radio0 (901): wifi-scripts: macfilter: disable has to be one of [ "allow", "deny" ]
Sat Nov 28 10:00:02 2026 daemon.notice netifd: radio0 (902): wifi-scripts: Starting
`
const refusal = (said: string) => `Sat Nov 28 10:00:03 2026 daemon.notice netifd: radio0 (903): wifi-scripts: ${said}\n`
test.each([
  ['the last that was said of it', logged, 'macfilter: disable has to be one of [ "allow", "deny" ]'],
  ['a secret is not told', logged + refusal('key: s3cret has to be of type string'), 'key has to be of type string'],
  [
    'bounded, and no more than can be shown',
    refusal(`x: \u0007${'y'.repeat(900)} has to be z`),
    `x:  ${'y'.repeat(196)}`,
  ],
  ['nothing was said', refusal('Starting'), 'FAILED'],
])('a radio that gave up over a value of somebody else names it: %s', async (_name, log, state) => {
  const failed = radio({ retry_setup_failed: true, interfaces: [{ section: 'lw_a_radio0', config: { mode: 'ap' } }] })
  const session = await open(() => failed, { 'logread -e wifi-scripts': log })
  const found = await verifyWireless(session, [network(), taken('radio0', { country: 'DE' })], 0)
  expect(found.map(one => one.values)).toEqual(Array(2).fill({ radio: 'radio0', state }))
})

const vlan = shown('lw_a_radio0_v20', 'wifi-vlan', { iface: 'lw_a_radio0', name: 'v20', vid: '20', network: 'guest' })
test.each([
  ['of a bridge of its own', 'br-guest', 'link phy0-ap0-v20 br-guest', undefined],
  ['of a bridge that tells VLANs apart', 'br-lan.20', 'link phy0-ap0-v20 br-lan', undefined],
  ['whose clients are in the bridge that hostapd makes', 'br-lan.20', 'link phy0-ap0-v20 brvlan20', 'brvlan20'],
  ['whose clients are in no bridge', 'br-guest', 'link phy0-ap0-v20 ', '-'],
  ['whose interface is not there yet', 'br-guest', 'link phy0-ap0 br-lan', undefined],
])('a VLAN that private keys lead to, %s', async (_name, device, link, master) => {
  const dump = JSON.stringify({ interface: [{ interface: 'guest', l3_device: device, device }] })
  const session = await open(radio, { 'ubus call network.interface dump': dump }, `${link}\n`)
  const found = await verifyWireless(session, [network(), vlan], 0)
  expect(found.map(one => one.values)).toEqual(
    master ? [{ radio: 'radio0', state: `phy0-ap0-v20 master ${master}` }] : [],
  )
})
