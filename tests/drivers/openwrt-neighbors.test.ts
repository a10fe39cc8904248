import { readFileSync } from 'node:fs'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { startOpenwrt } from './openwrt-server'

// The recorded router with 802.11k on its networks, as it answers then.

const recorded = readFileSync(`${process.cwd()}/tests/recordings/openwrt-24.10/wireless-status.out`, 'utf8')
const status = (section: string) =>
  recorded.replaceAll('"default_radio', `"${section}`).replaceAll('"mode": "ap",', '"mode": "ap", "ieee80211k": true,')

const own = '026f77000010af0900005101070603000000'
const other = '020000000001af0900005106070603000000'
const gone = '020000000002af090000510b070603000000'
const entry = (bssid: string, element: string) => [bssid, 'OpenWrt', element]
const said = {
  'ubus call hostapd.phy0-ap0 rrm_nr_get_own': JSON.stringify({ value: entry('02:6f:77:00:00:10', own) }),
  'ubus call hostapd.phy0-ap0 rrm_nr_list': JSON.stringify({
    list: [entry('02:00:00:00:00:02', gone), ['x', 'y', 'z']],
  }),
}
const telling = (list: string[][]) => `ubus call hostapd.phy0-ap0 rrm_nr_set '${JSON.stringify({ list })}'`

async function open(section: string, more: Record<string, string> = {}) {
  const answers = { 'ubus call network.wireless status': status(section), ...said, ...more }
  const server = await startOpenwrt({ answers })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  const end = async () => {
    driver.close(session)
    await server.close()
  }
  return { session, end }
}

test('802.11k: of a network of ours hostapd’s own element and those that it tells are read, nothing of another’s', async () => {
  for (const [section, expected] of [
    ['lw_', { own, told: [gone] }],
    ['default_radio', undefined],
  ] as const) {
    const { session, end } = await open(section)
    const { bss } = await driver.observe(session, 'counters')
    expect(bss?.[0]?.neighbors).toEqual(expected)
    // Of the second nothing was answered.
    expect(bss?.[1]?.neighbors).toBeUndefined()
    await end()
  }
})

test('802.11k: where usteer runs, the lists are its own', async () => {
  const listed = readFileSync(`${process.cwd()}/tests/recordings/openwrt-24.10/probe-ubus-list.out`, 'utf8')
  const { session, end } = await open('lw_', { 'ubus list': `${listed}usteer\n` })
  const { bss } = await driver.observe(session, 'counters')
  expect(bss?.[0]?.neighbors).toBeUndefined()
  await end()
})

test('802.11k: hostapd is given the whole list; what it refuses is an error', async () => {
  const command = telling([entry('02:00:00:00:00:01', other)])
  const { session, end } = await open('lw_', { [command]: '' })
  const list = { interface: 'phy0-ap0', ssid: 'OpenWrt', told: [gone], wanted: [other] }
  await driver.tellNeighbors?.(session, [list])
  await expect(driver.tellNeighbors?.(session, [{ ...list, wanted: [own] }])).rejects.toMatchObject({
    reason: 'commandFailed',
  })
  await end()
})
