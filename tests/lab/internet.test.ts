// Ways to the internet as a client meets them: which one is taken.
import { on, plan } from './_device'
import { apply, begin, end, first, leavesBy, one, second, seenAs, two, wan } from './_internet'
import { lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

test('a way in a VLAN that the kernel cannot have is named before the push', async () => {
  const make = 'ip link add link eth3 name lab.7 type vlan id 7 && ip link del lab.7'
  const isMade = (await lab.sh('gw', make)).code === 0
  // A kernel that takes modules has them elsewhere than in the lab's devices: then nobody knows.
  const isWhole = (await lab.sh('gw', '[ -e /proc/modules ]')).code !== 0
  const tagged = wan(2, { interface: 'eth3', connection: 'dhcp', vlan: 7, metric: 2 })
  const { warnings } = await on('gw', session => plan(session, [first, tagged]))
  expect(warnings.some(({ code }) => code === 'needs.vlan')).toBe(isWhole && !isMade)
})

test('a second way is addressed by DHCP, and taken only while the first does not work', async () => {
  await apply([first, second])
  await leavesBy('c1', one)
  // The provider's router falls silent while the link stays up.
  await lab.in('inet', ['ip', 'addr', 'del', '203.0.113.1/24', 'dev', 'eth0'])
  await leavesBy('c1', two)
  await lab.in('inet', ['ip', 'addr', 'add', '203.0.113.1/24', 'dev', 'eth0'])
  await leavesBy('c1', one)
  // The cable is pulled.
  await lab.in('inet', ['ip', 'link', 'set', 'eth0', 'down'])
  await leavesBy('c1', two)
  await lab.in('inet', ['ip', 'link', 'set', 'eth0', 'up'])
  await leavesBy('c1', one)
})

test('a way counts by what answers behind it', async () => {
  await apply([{ ...first, data: { ...first.data, targets: ['192.0.2.99'] } }, second])
  await leavesBy('c1', two)
  await apply([{ ...first, data: { ...first.data, targets: ['192.0.2.99', '192.88.99.7'] } }, second])
  await leavesBy('c1', one)
})

test('ways of the same metric share the traffic', async () => {
  await apply([first, { ...second, data: { ...second.data, metric: 1 } }])
  const seen = new Set<string>()
  await until(async () => {
    seen.add((await seenAs('c1')).replace(two, 'two'))
    return seen.has(one) && seen.has('two')
  })
})
