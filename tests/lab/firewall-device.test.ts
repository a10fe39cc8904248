// Rules about the gateway itself, and beside its own; its nft takes whatever the manager takes.

import { shapingRenderer } from '@/server/drivers/linux/area/shaping'
import { firewallRenderer } from '@/server/drivers/linux/firewall/firewall'
import { wirelessRenderer } from '@/server/drivers/linux/firewall/wireless-rules'
import { randomFirewalls } from '../drivers/_firewall-fuzz'
import { apply, begin, c1, end, hits, rule } from './_firewall'
import { type Device, lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

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
  expect(await apply('gw', rule('let-in', { action: 'allow', from: 'wan', to: 'lan' }))).toEqual(['unmanagedFirewall'])
})

test('the real nft takes whatever the manager takes: 100 rule sets of random rules', async () => {
  const capabilities = ['root', 'systemd', 'nftables', 'tc', 'hostapd', 'wifi']
  const facts = { kind: 'gateway' as const, capabilities }
  const radios = [{ key: 'wlan0', name: 'wlan0', interface: 'wlan0', driver: 'none' as const }]
  const wan = { key: 'eth0', name: 'eth0', type: 'ethernet' as const, defaultRoute: true }
  const observation = { takenAt: 0, depth: 'full' as const, interfaces: [wan], radios }
  const texts = randomFirewalls(100, 20_261_121).map(documents => {
    const blocks = [firewallRenderer, wirelessRenderer, shapingRenderer].flatMap(
      one => one.render({ facts, observation, documents, confirmSeconds: 60 }).blocks,
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
