import { readFileSync } from 'node:fs'
import { apply, document } from './_firewall'
import { lab, run, until } from './_lab'

// A client of the access point: the far end of its radio's cable. The driver `none` of hostapd puts no interface into the
// bridge, as a real one does.

jest.setTimeout(180_000)

let wires = ''
let root = ''
const client = (...command: string[]) => run('ip', ['netns', 'exec', wires, 'chroot', root, ...command])
const network = { id: 'ssid', kind: 'ssid', name: 'Guest', data: { name: 'Guest', security: 'open' } }
const rule = (id: string, data: Record<string, unknown>) =>
  document('wirelessRule', id, { ssid: network.data, ...data })
const pings = async (address: string) => (await client('ping', '-c', '1', '-W', '2', address)).code === 0
const hits = async (id: string) => {
  const { stdout } = await lab.sh('ap1', 'nft list table bridge lanward_wireless')
  return [...stdout.matchAll(new RegExp(`counter packets (\\d+).*comment "${id}"`, 'g'))].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  )
}

beforeAll(async () => {
  const { prefix, state } = await lab.up()
  root = readFileSync(`${state}/root`, 'utf8').trim()
  wires = `${prefix}-wires`
  await lab.reset('ap1')
  await client('ip', 'addr', 'replace', '10.77.1.50/22', 'dev', 'ap1-air')
  await apply('ap1', network)
  await lab.sh('ap1', 'ip link set wlan0 master br-lan up')
  await until(() => pings('10.77.0.1'))
})
afterAll(async () => {
  await client('ip', 'addr', 'flush', 'dev', 'ap1-air')
  await lab.reset('ap1')
})

test('a rule of a Wi-Fi network stops what it says, and its order and removal count', async () => {
  await apply('ap1', network, rule('no-gateway', { destinations: ['10.77.0.1'] }))
  expect(await pings('10.77.0.1')).toBe(false)
  expect(await hits('no-gateway')).toBeGreaterThan(0)
  await until(() => pings('10.77.0.2'))
  await until(() => pings('10.77.0.3'))

  await apply('ap1', network, rule('only', { action: 'allow', destinations: ['10.77.0.2'] }), rule('rest', {}))
  await until(() => pings('10.77.0.2'))
  expect([await pings('10.77.0.1'), await pings('10.77.0.3')]).toEqual([false, false])

  await apply('ap1', network)
  await until(() => pings('10.77.0.1'))
  await until(() => pings('10.77.0.3'))
  expect((await lab.sh('ap1', 'nft list ruleset')).stdout).toBe('')
})
