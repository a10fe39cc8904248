// Which way to the internet a client is led by: by a policy, and by where it comes from.
import { apply, begin, end, first, leavesBy, one, route, second, seenAs, two } from './_internet'
import { lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

test('a policy route leads one client by the other way, while that works', async () => {
  const policy = route('policyRoute', { source: '10.77.2.101/32', wan: second.data })
  await apply([first, second, policy])
  await leavesBy('c1', two)
  await leavesBy('c2', one)
  await lab.in('inet', ['ip', 'link', 'set', 'eth1', 'down'])
  await leavesBy('c1', one)
  await lab.in('inet', ['ip', 'link', 'set', 'eth1', 'up'])
  await leavesBy('c1', two)
})

test('a source takes its own way, and no other where it shall not', async () => {
  const source = (strict: boolean) =>
    route('internetSource', { sources: ['10.77.2.101/32'], wans: [second.data], strict })
  await apply([first, second, source(false)])
  await leavesBy('c1', two)
  await leavesBy('c2', one)
  const link = (state: 'up' | 'down') => lab.in('inet', ['ip', 'link', 'set', 'eth1', state])
  await link('down')
  await leavesBy('c1', one)
  await link('up')
  await leavesBy('c1', two)
  await apply([first, second, source(true)])
  await leavesBy('c1', two)
  await link('down')
  await until(async () => (await seenAs('c1')) === '')
  await leavesBy('c2', one)
  await link('up')
  await leavesBy('c1', two)
})
