// Two links between two switches that become one.
import { lab, until } from './_lab'
import { begin, end, give, one, pushed, save, second, untilReached, vsctl } from './_switches'

beforeAll(begin)
afterAll(end)

test('two links become one by LACP: one of them cut, traffic goes on', async () => {
  const aggregate = 'lacp=active bond_mode=balance-tcp other_config:lacp-time=fast other_config:lacp-fallback-ab=true'
  const vlans = 'vlan_mode=native-untagged tag=1 trunks=1,20,30'
  await save('Trunk', { nativeVlan: 1, allowedVlans: '20,30', lag: 2, lacpTimeout: 'fast' })
  await save('Guests', { nativeVlan: 30 })
  await give(one.id, ['p4'], 'Guests')
  await pushed(one.id)
  await lab.sh(
    'sw1',
    `ovs-vsctl del-port p6 -- del-port p7 -- add-bond br0 far p6 p7 -- set port far ${aggregate} ${vlans}`,
  )
  await give(second, ['p1', 'p4'], 'Trunk')
  await give(second, ['p2'], 'Guests')
  await pushed(second)
  const lacp = async () => (await lab.in('sw2', ['ovs-appctl', 'lacp/show', 'lag2'])).stdout
  await until(async () => (await lacp()).match(/: current attached/g)?.length === 2)
  await untilReached('c3', 'c2')
  await lab.in('sw1', ['ip', 'link', 'set', 'p6', 'down'])
  await untilReached('c3', 'c2')
  await lab.in('sw1', ['ip', 'link', 'set', 'p6', 'up'])
  await lab.reboot('sw2')
  await untilReached('c3', 'c2')
  expect((await vsctl('list-ports', 'br0')).split('\n').sort()).toEqual(['lag2', 'p2', 'p3'])
})
