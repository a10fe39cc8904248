// VLANs of a kernel's bridge: who shares one reaches each other, tagged or not, and nobody else; without them all do again.
import { inGuest, managerWithGuest } from '../_guest'

let one: Awaited<ReturnType<typeof managerWithGuest>>

beforeAll(async () => {
  one = await managerWithGuest()
})
afterAll(() => one?.end())

const hosts = { c1: '10.78.9.1', c2: '10.78.9.2', c3: '10.78.9.3', t10: '10.78.9.14', t20: '10.78.9.24' }
type Host = keyof typeof hosts

/** Pairs of which the first reaches the second, one line each; the guest asks them all in one go. */
async function reached(pairs: readonly [Host, Host][]): Promise<string[]> {
  const lines = pairs.map(
    ([from, to]) => `ip netns exec ${from} ping -n -q -c 2 -i 0.3 -W 1 ${hosts[to]} >/dev/null && echo ${from}-${to}`,
  )
  return (await inGuest(`${lines.join('\n')}\n:`)).stdout.trim().split('\n')
}
const pairs: [Host, Host][] = [
  ['c1', 'c2'],
  ['c1', 'c3'],
  ['c1', 't10'],
  ['c1', 't20'],
  ['c3', 't20'],
  ['c3', 't10'],
]

const applied = { state: 'applied', reason: '', detail: '' }
const saved: { id: string; revision: number }[] = []
const profile = async (name: string, more: object) =>
  saved.push((await one.ok('settings/portProfile/save', { name, ...more })) as (typeof saved)[number])

test('ports in VLANs 10 and 20 and a trunk of both: each reaches its own alone, and the manager the bridge', async () => {
  expect(await reached(pairs)).toEqual(['c1-c2', 'c1-c3'])
  await profile('Office', { ports: ['p1', 'p2'], nativeVlan: 10 })
  await profile('Guests', { ports: ['p3'], nativeVlan: 20 })
  await profile('Trunk', { ports: ['p4'], nativeVlan: 1, allowedVlans: '10,20' })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reached(pairs)).toEqual(['c1-c2', 'c1-t10', 'c3-t20'])
  expect(await one.changes()).toMatchObject({ total: 0 })
})

test('a VLAN that leaves the trunk is not reached by it any more', async () => {
  const { id, revision } = saved[2] as (typeof saved)[number]
  await one.ok('settings/portProfile/save', {
    id,
    revision,
    name: 'Trunk',
    ports: ['p4'],
    nativeVlan: 1,
    allowedVlans: '10',
  })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reached(pairs)).toEqual(['c1-c2', 'c1-t10'])
})

test('without profiles the bridge tells no VLANs apart, as before', async () => {
  await one.ok('settings/portProfile/delete', { ids: saved.map(({ id }) => id) })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reached(pairs)).toEqual(['c1-c2', 'c1-c3'])
})
