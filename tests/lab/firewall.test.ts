import type { DesiredDocument } from '@/server/devices/driver'
import { linuxDriver as driver } from '@/server/devices/linux/driver'
import { firewallRenderer, rulesPath } from '@/server/devices/linux/firewall'
import { randomFirewalls } from '../devices/_firewall-fuzz'
import { on, plan, push } from './_device'
import { type Device, lab, until } from './_lab'

// What a rule does is seen from the clients: c1 and c2 behind the gateway, "the internet" before it.

jest.setTimeout(180_000)

const web = 'http://203.0.113.1/'
const c1 = '10.77.2.101'

const rule = (id: string, data: Record<string, unknown> = {}): DesiredDocument => ({
  id,
  kind: 'wiredRule',
  name: id,
  data: { name: id, ...data },
})
const noWeb = (id: string, more: Record<string, unknown> = {}) =>
  rule(id, { protocol: 'tcp', ports: '80', sources: [c1], ...more })

/** Pushed, proven as the engine does, and confirmed. */
async function apply(...documents: DesiredDocument[]): Promise<string[]> {
  return on('gw', async session => {
    const { next, warnings } = await plan(session, documents)
    const pending = await push(session, next, 120)
    expect(await driver.verify(session, next)).toEqual([])
    const seen = await driver.read(session)
    expect(seen.blocks.map(block => block.id).sort()).toEqual(next.blocks.map(block => block.id).sort())
    await driver.confirm(session, pending)
    return warnings.map(warning => warning.code)
  })
}

/** curl's exit code: 0, 7 when it was refused, 28 when nothing came back. */
const get = async (client: Device, url = web) =>
  (await lab.in(client, ['curl', '-s', '-o', '/dev/null', '-m', '3', url])).code
const reaches = (client: Device, url = web) => until(async () => (await get(client, url)) === 0)
const ruleset = async () => (await lab.in('gw', ['nft', 'list', 'table', 'inet', 'lanward'])).stdout
/** Packets that a rule has judged. */
const hits = async (id: string) =>
  [...(await ruleset()).matchAll(new RegExp(`counter packets (\\d+).*comment "${id}"`, 'g'))].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  )

beforeAll(async () => {
  await lab.up()
  await lab.reset('gw')
  await Promise.all([reaches('c1'), reaches('c2')])
})
afterAll(() => lab.reset('gw'))

test('a rule blocks exactly what it says, and its removal lets it through', async () => {
  expect(await apply(noWeb('no-web'))).toEqual([])
  expect(await get('c1')).toBe(28)
  expect(await hits('no-web')).toBeGreaterThan(0)
  await reaches('c2')
  expect((await lab.in('c1', ['ping', '-c', '1', '-W', '10', '203.0.113.1'])).code).toBe(0)
  await apply()
  expect(await ruleset()).toBe('')
  await reaches('c1')
  expect((await lab.sh('gw', `ls ${rulesPath} /etc/systemd/system/*/lanward-firewall*`)).stdout).toBe('')
})

test('the order of the rules counts', async () => {
  await apply(noWeb('first', { action: 'allow' }), noWeb('second'))
  await reaches('c1')
  expect(await hits('first')).toBeGreaterThan(0)
  await apply(noWeb('second'), noWeb('first', { action: 'allow' }))
  expect(await get('c1')).toBe(28)
})

test('a refusal is told at once, and MAC, port and direction have to fit', async () => {
  await apply(
    noWeb('other-port', { ports: '8080' }),
    noWeb('other-way', { from: 'wan', to: 'lan' }),
    rule('mac', { protocol: 'tcp', ports: '1-80', macs: ['02-00-5E-10-00-C1'], action: 'reject' }),
  )
  expect(await get('c1')).toBe(7)
  await reaches('c2')
  expect([await hits('other-port'), await hits('other-way')]).toEqual([0, 0])
})

/** The test's control and its data connection. */
const opened = async () => (await lab.sh('c1', 'ss -Htn state established | grep -c :5201')).stdout.trim() === '2'

test('a connection that is open when its rule comes is cut, and answers to others are let in', async () => {
  await apply(rule('in', { from: 'wan', to: 'lan' }))
  await reaches('c1')
  await lab.sh('inet', 'iperf3 -s -D -1 -p 5201')
  const download = lab.in('c1', ['iperf3', '-c', '203.0.113.1', '-t', '60', '-b', '1M', '--rcv-timeout', '4000', '-R'])
  await until(opened)
  await apply(rule('cut', { protocol: 'tcp', ports: '5201' }))
  expect((await download).code).not.toBe(0)
  expect(await hits('cut')).toBeGreaterThan(0)
})

test('rules about the gateway itself', async () => {
  await apply(rule('no-ssh', { to: 'device', protocol: 'tcp', ports: '22', sources: [c1] }))
  const opens = async (client: Device, port: number) =>
    (await lab.in(client, ['timeout', '3', 'bash', '-c', `: </dev/tcp/10.77.0.1/${port}`])).code === 0
  expect(await opens('c1', 22)).toBe(false)
  expect(await hits('no-ssh')).toBeGreaterThan(0)
  await until(() => opens('c2', 22))
  await until(() => opens('c1', 53))
})

test('they stay through a restart of the own firewall and a reboot', async () => {
  await apply(noWeb('stays'))
  await lab.in('gw', ['systemctl', 'restart', 'nftables'])
  await until(async () => (await ruleset()).includes('stays'))
  await lab.in('gw', ['systemctl', 'reload', 'nftables'])
  await until(async () => (await ruleset()).includes('stays'))
  await lab.reboot('gw')
  await until(async () => (await ruleset()).includes('stays'))
  await reaches('c2')
  expect(await get('c1')).toBe(28)
})

test('what is not confirmed goes back, the table in the kernel included', async () => {
  await apply(noWeb('kept', { sources: ['192.0.2.1'] }))
  await on('gw', async session => {
    const pending = await push(session, (await plan(session, [noWeb('wrong')])).next, 120)
    expect(await ruleset()).toContain('wrong')
    await driver.revert(session, pending)
  })
  expect(await ruleset()).toContain('kept')
  expect(await ruleset()).not.toContain('wrong')
  await reaches('c1')
})

test('a rule set that nftables refuses changes nothing', async () => {
  const before = await ruleset()
  await on('gw', async session => {
    const { next } = await plan(session, [noWeb('broken')])
    const blocks = next.blocks.map(block => ({ ...block, text: block.text.replace('tcp dport 80', 'tcp dport x') }))
    await expect(push(session, { blocks }, 60)).rejects.toMatchObject({ reason: 'commandFailed' })
  })
  expect((await ruleset()).replace(/packets \d+ bytes \d+/g, '')).toBe(before.replace(/packets \d+ bytes \d+/g, ''))
})

test('a chain of the device’s own that would still stop what is allowed is named', async () => {
  expect(await apply(rule('let-in', { action: 'allow', from: 'wan', to: 'lan' }))).toEqual(['foreignFirewall'])
})

test('the real nft takes whatever the manager takes: 100 rule sets of random rules', async () => {
  const facts = { kind: 'gateway' as const, capabilities: ['root', 'systemd', 'nftables'] }
  const wan = { key: 'eth0', name: 'eth0', type: 'ethernet' as const, defaultRoute: true }
  const texts = randomFirewalls(100, 20_261_121).map(documents => {
    const { blocks } = firewallRenderer.render({
      facts,
      observation: { takenAt: 0, depth: 'full', interfaces: [wan] },
      documents,
      windowSeconds: 60,
    })
    const text = blocks.find(block => block.id === `file:${rulesPath}`)?.text ?? ''
    expect(text.split('comment "').length).toBeGreaterThan(10)
    return text
  })
  const each =
    'n=0; while [ $n -lt 100 ]; do sed -n "/^=$n$/,/^=$((n + 1))$/{/^=/d;p}" $1 | nft -c -f - || echo "set $n"; n=$((n + 1)); done'
  await lab.in('gw', ['sh', '-c', 'cat >/tmp/sets'], {
    input: `${texts.map((text, at) => `=${at}\n${text}`).join('')}=100\n`,
  })
  const { stdout, stderr } = await lab.in('gw', ['sh', '-c', each, 'sh', '/tmp/sets'], { timeoutMs: 120_000 })
  expect(`${stdout}${stderr}`).toBe('')
})
