import { shapingRenderer } from '@/server/drivers/linux/area/shaping'
import { firewallRenderer, rulesFile } from '@/server/drivers/linux/firewall/firewall'
import { wirelessRenderer } from '@/server/drivers/linux/firewall/wireless-rules'
import { randomFirewalls } from '../drivers/_firewall-fuzz'
import { apply, begin, c1, end, get, hits, noWeb, reaches, rule, ruleset } from './_firewall'
import { type Device, lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

test('a rule blocks exactly what it says, and its removal lets it through', async () => {
  expect(await apply('gw', noWeb('no-web'))).toEqual([])
  expect(await get('c1')).toBe(28)
  expect(await hits('no-web')).toBeGreaterThan(0)
  await reaches('c2')
  await until(async () => (await lab.in('c1', ['ping', '-c', '1', '-W', '2', '203.0.113.1'])).code === 0)
  await apply('gw')
  expect(await ruleset()).toBe('')
  await reaches('c1')
  expect((await lab.sh('gw', `ls ${rulesFile.path} /etc/systemd/system/*/lanward-firewall*`)).stdout).toBe('')
})

test('the order of the rules counts', async () => {
  await apply('gw', noWeb('first', { action: 'allow' }), noWeb('second'))
  await reaches('c1')
  expect(await hits('first')).toBeGreaterThan(0)
  await apply('gw', noWeb('second'), noWeb('first', { action: 'allow' }))
  expect(await get('c1')).toBe(28)
})

test('a refusal is told at once, and MAC, port and direction have to fit', async () => {
  await apply(
    'gw',
    noWeb('other-port', { ports: '8080' }),
    noWeb('other-way', { from: 'wan', to: 'lan' }),
    rule('mac', { protocol: 'tcp', ports: '1-80', macs: ['02-00-5E-10-00-C1'], action: 'reject' }),
  )
  await until(async () => (await get('c1')) === 7)
  await reaches('c2')
  expect([await hits('other-port'), await hits('other-way')]).toEqual([0, 0])
})

/** The test's control and its data connection. */
const opened = async () => (await lab.sh('c1', 'ss -Htn state established | grep -c :5201')).stdout.trim() === '2'

test('a connection that is open when its rule comes is cut, and answers to others are let in', async () => {
  await apply('gw', rule('in', { from: 'wan', to: 'lan' }))
  await reaches('c1')
  await lab.sh('inet', 'iperf3 -s -D -1 -p 5201')
  const download = lab.in('c1', ['iperf3', '-c', '203.0.113.1', '-t', '60', '-b', '1M', '--rcv-timeout', '4000', '-R'])
  await until(opened)
  await apply('gw', rule('cut', { protocol: 'tcp', ports: '5201' }))
  expect((await download).code).not.toBe(0)
  expect(await hits('cut')).toBeGreaterThan(0)
})

test('rules about the gateway itself', async () => {
  await apply('gw', rule('no-ssh', { to: 'device', protocol: 'tcp', ports: '22', sources: [c1] }))
  const opens = async (client: Device, port: number) =>
    (await lab.in(client, ['timeout', '3', 'bash', '-c', `: </dev/tcp/10.77.0.1/${port}`])).code === 0
  expect(await opens('c1', 22)).toBe(false)
  expect(await hits('no-ssh')).toBeGreaterThan(0)
  await until(() => opens('c2', 22))
  await until(() => opens('c1', 53))
})

test('a chain of the device’s own that would still stop what is allowed is named', async () => {
  expect(await apply('gw', rule('let-in', { action: 'allow', from: 'wan', to: 'lan' }))).toEqual(['foreignFirewall'])
})

test('the real nft takes whatever the manager takes: 100 rule sets of random rules', async () => {
  const capabilities = ['root', 'systemd', 'nftables', 'tc', 'hostapd', 'wifi']
  const facts = { kind: 'gateway' as const, capabilities }
  const radios = [{ key: 'wlan0', name: 'wlan0', interface: 'wlan0', driver: 'none' as const }]
  const wan = { key: 'eth0', name: 'eth0', type: 'ethernet' as const, defaultRoute: true }
  const observation = { takenAt: 0, depth: 'full' as const, interfaces: [wan], radios }
  const texts = randomFirewalls(100, 20_261_121).map(documents => {
    const blocks = [firewallRenderer, wirelessRenderer, shapingRenderer].flatMap(
      one => one.render({ facts, observation, documents, windowSeconds: 60 }).blocks,
    )
    const found = blocks.filter(block => block.id.endsWith('.nft')).map(block => block.text)
    expect(found.map(text => text.split('comment "').length > 10)).toEqual([true, true, true])
    return found.join('')
  })
  const each =
    'n=0; while [ $n -lt 100 ]; do sed -n "/^=$n$/,/^=$((n + 1))$/{/^=/d;p}" $1 | nft -c -f - || echo "set $n"; n=$((n + 1)); done'
  await lab.in('gw', ['sh', '-c', 'cat >/tmp/sets'], {
    input: `${texts.map((text, at) => `=${at}\n${text}`).join('')}=100\n`,
  })
  const { stdout, stderr } = await lab.in('gw', ['sh', '-c', each, 'sh', '/tmp/sets'], { timeoutMs: 120_000 })
  expect(`${stdout}${stderr}`).toBe('')
})
