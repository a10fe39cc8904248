// What a switch copies to its observation port, seen by what hangs on that port.
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { lab, until } from './_lab'

const host = { c1: '192.168.55.1', c3: '192.168.55.3' } as const

// The far end of the observation port, p4, is sw1's p7: outside of that switch, it is the analyzer.
beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('sw1'), lab.reset('sw2')])
  await lab.reset('c3')
  await lab.sh('sw1', 'ovs-vsctl del-port p7; ip link set p7 up')
  await lab.sh('sw2', 'ip link set p4 up')
  for (const client of ['c1', 'c3'] as const)
    await lab.in(client, ['ip', 'addr', 'replace', `${host[client]}/24`, 'dev', 'eth0'])
})
afterAll(async () => {
  await Promise.all([lab.off('c3'), lab.off('sw2')])
  await lab.in('c1', ['ip', 'addr', 'del', `${host.c1}/24`, 'dev', 'eth0'])
  await lab.reset('sw1')
})

const profile = (name: string, fields: object) => {
  const checked = check(portProfile, { name, ...fields })
  if (!('data' in checked)) throw new Error(JSON.stringify(checked))
  return { id: name, kind: 'portProfile', name, data: checked.data }
}
const apply = (...documents: ReturnType<typeof profile>[]) =>
  on('sw2', async session => {
    const { next, warnings } = await plan(session, documents)
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    await driver.confirm(session, pending)
    return warnings
  })

/** Pings between c3 and c1 that come out of the observation port. A broadcast, which reaches every port, is the end. */
async function copies(): Promise<string[]> {
  await until(async () => (await lab.in('c3', ['ping', '-c', '1', '-W', '1', host.c1])).code === 0)
  await lab.sh('sw1', 'setsid tcpdump -lnni p7 icmp </dev/null >/run/seen 2>/run/tcpdump & echo $! >/run/tcpdump.pid')
  await until(async () => (await lab.sh('sw1', 'cat /run/tcpdump')).stdout.includes('listening on'))
  await lab.in('c3', ['ping', '-c', '3', '-i', '0.2', host.c1])
  const seen = async () => (await lab.sh('sw1', 'cat /run/seen')).stdout
  await until(async () => {
    await lab.in('c1', ['ping', '-b', '-c', '1', '-W', '1', '192.168.55.255'])
    return (await seen()).includes('192.168.55.255')
  })
  await lab.sh('sw1', 'kill $(cat /run/tcpdump.pid)')
  const pings = [...(await seen()).matchAll(/IP (\S+) > (\S+): ICMP echo (request|reply)/g)]
  return [...new Set(pings.map(([, from, to, what]) => `${from} ${to} ${what}`))].filter(line => !line.includes('.255'))
}

const asked = `${host.c3} ${host.c1} request`
const answered = `${host.c1} ${host.c3} reply`

test('what passes a port comes out of the observation port as well: both ways, or one, and no more when it ends', async () => {
  expect(await copies()).toEqual([])
  expect(await apply(profile('Desk', { ports: ['p2'], mirrorTo: 'p4' }))).toEqual([])
  expect((await copies()).sort()).toEqual([answered, asked])
  await apply(profile('Desk', { ports: ['p2'], mirrorTo: 'p4', mirrorTraffic: 'in' }))
  expect(await copies()).toEqual([asked])
  await apply(profile('Desk', { ports: ['p2'], mirrorTo: 'p4', mirrorTraffic: 'out' }))
  expect(await copies()).toEqual([answered])
  await apply()
  expect(await copies()).toEqual([])
  expect((await lab.sh('sw2', 'tc qdisc show dev p2; ls -A /var/lib/lanward/ports')).stdout).not.toMatch(
    /clsact|mirror/,
  )
})

test('after a boot the copies go on', async () => {
  await apply(profile('Desk', { ports: ['p2'], mirrorTo: 'p4' }))
  await lab.reboot('sw2')
  await lab.sh('sw2', 'ip link set p4 up')
  await until(async () => (await copies()).length === 2)
  await apply()
})

test('a port on the way to the manager is no observation port, and no device has two', async () => {
  const warnings = async (...documents: ReturnType<typeof profile>[]) =>
    on('sw2', async session => (await plan(session, documents)).warnings.map(({ code, blocks }) => [code, blocks]))
  const toManager = () => warnings(profile('Desk', { ports: ['p2'], mirrorTo: 'p1' }))
  // Which port leads there is known once the switch has heard from it.
  expect(await until(async () => (await toManager()).length > 0 && toManager())).toEqual([['mirrorManager', true]])
  const two = [profile('Desk', { ports: ['p2'], mirrorTo: 'p4' }), profile('Other', { ports: ['p3'], mirrorTo: 'p1' })]
  expect((await warnings(...two)).map(([code]) => code)).toContain('mirrorTwice')
})
