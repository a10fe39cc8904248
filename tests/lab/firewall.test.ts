import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { firewallRenderer, rulesFile } from '@/server/drivers/linux/firewall'
import { shapingRenderer } from '@/server/drivers/linux/shaping'
import { wirelessRenderer } from '@/server/drivers/linux/wireless-rules'
import { randomFirewalls } from '../drivers/_firewall-fuzz'
import { on, plan, push } from './_device'
import { apply, c1, document, get, hits, outside, reaches, ruleset } from './_firewall'
import { type Device, lab, until } from './_lab'

const rule = (id: string, data: Record<string, unknown> = {}) => document('wiredRule', id, data)
const noWeb = (id: string, more: Record<string, unknown> = {}) =>
  rule(id, { protocol: 'tcp', ports: '80', sources: [c1], ...more })

beforeAll(async () => {
  await lab.up()
  await lab.reset('gw')
  await Promise.all([reaches('c1'), reaches('c2')])
})
afterAll(async () => {
  await lab.reset('gw')
  await lab.reset('c1')
})

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

test('they stay through a restart of the own firewall and a reboot', async () => {
  await apply('gw', noWeb('stays'))
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
  await apply('gw', noWeb('kept', { sources: ['192.0.2.1'] }))
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
  expect(await apply('gw', rule('let-in', { action: 'allow', from: 'wan', to: 'lan' }))).toEqual(['foreignFirewall'])
})

describe('a port forward', () => {
  const forward = (more: Record<string, unknown> = {}) =>
    document('portForward', 'server', { ports: '8080', address: c1, innerPort: 8000, ...more })
  const url = `http://${outside}:8080/`
  const letForwardsThrough = () =>
    lab.in('gw', ['nft', 'insert', 'rule', 'inet', 'filter', 'forward', 'ct', 'status', 'dnat', 'accept'])

  beforeAll(async () => {
    await lab.sh('c1', 'mkdir -p /tmp/www; echo inside >/tmp/www/index.html; busybox httpd -p 8000 -h /tmp/www')
    await reaches('c1', 'http://127.0.0.1:8000/')
  })

  test('reaches the server inside, and nothing else; what the own firewall stops is named', async () => {
    expect(await apply('gw', forward())).toEqual(['foreignFirewall'])
    expect(await get('inet', url)).toBe(28)
    await letForwardsThrough()
    expect(await apply('gw', forward())).toEqual([])
    await until(async () => (await lab.in('inet', ['curl', '-s', '-m', '5', url])).stdout === 'inside\n')
    expect(await hits('server')).toBeGreaterThan(0)
    for (const port of [8000, 8081, 80]) expect(await get('inet', `http://${outside}:${port}/`)).not.toBe(0)
  })

  test('is reached from inside by the outer address, and the gateway’s inner one stays its own', async () => {
    await apply('gw', forward())
    for (const client of ['c1', 'c2'] as const)
      await until(async () => (await lab.in(client, ['curl', '-s', '-m', '5', url])).stdout === 'inside\n')
    expect(await get('c2', 'http://10.77.0.1:8080/')).not.toBe(0)
  })

  test('lets in only whom it names, and ends with its removal', async () => {
    await apply('gw', forward({ sources: ['203.0.113.1'] }))
    await reaches('inet', url)
    expect(await get('inet', url, '--interface', '192.88.99.7')).toBe(28)
    await apply('gw', forward({ sources: ['192.88.99.0/24'] }))
    await reaches('inet', url, '--interface', '192.88.99.7')
    await apply('gw')
    expect(await get('inet', url)).toBe(28)
  })
})

describe('a blocked client', () => {
  const blocked = (until?: Date) => ({
    id: 'block',
    kind: 'blockedClient',
    name: '',
    data: { mac: '02-00-5E-10-00-C1', ...(until && { until: `${until.toJSON().slice(0, 19)}Z` }) },
  })
  const pings = async (client: Device) => (await lab.in(client, ['ping', '-c', '1', '-W', '2', '10.77.0.1'])).code === 0

  test('loses the net, the others keep it, and gets it back when it is taken off the list', async () => {
    await apply('gw', blocked())
    expect([await get('c1'), await pings('c1')]).toEqual([28, false])
    await reaches('c2')
    await apply('gw')
    await reaches('c1')
  })

  /** Blocks c1 for a while that is long enough for the change and a look; gives its end. */
  async function blockedForAWhile(ms = 10_000): Promise<number> {
    // Whole seconds, as they are told to the device.
    const end = Math.ceil((Date.now() + ms) / 1000) * 1000
    await apply('gw', blocked(new Date(end)))
    const reached = await pings('c1')
    if (Date.now() >= end) return blockedForAWhile(2 * ms)
    expect(reached).toBe(false)
    return end
  }

  test('gets it back when the time is up, without the manager', async () => {
    const end = await blockedForAWhile()
    await reaches('c1')
    expect(Date.now()).toBeGreaterThanOrEqual(end)
    expect((await lab.sh('gw', 'nft list table inet lanward_blocked')).stdout).toContain('02:00:5e:10:00:c1')
  })

  test('on a bridge, whose kernel takes the table too', async () => {
    await apply('ap1', blocked())
    expect((await lab.sh('ap1', 'nft list table bridge lanward_blocked')).stdout).toContain('02:00:5e:10:00:c1')
    await apply('ap1')
    expect((await lab.sh('ap1', 'nft list ruleset')).stdout).toBe('')
  })
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
