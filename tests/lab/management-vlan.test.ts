// The VLAN of a switch's own address in which the manager reaches it: it stays.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on } from './_device'
import { lab, until } from './_lab'
import { managerWithOwnVlan, ownVlan } from './_management-vlan'

let one: Awaited<ReturnType<typeof managerWithOwnVlan>>
beforeAll(async () => {
  one = await managerWithOwnVlan(300)
})
afterAll(() => one?.end())

/** The neighbour's port that leads to it: as it is, tagged or not in the manager's VLAN. */
const uplink = (...words: string[]) => lab.in('sw1', ['ovs-vsctl', 'set', 'port', 'p6', ...words])

test('a management VLAN in which the manager reaches the device stays, after a boot too, and ends with the setting', async () => {
  await lab.in('sw1', ['ovs-vsctl', 'set', 'port', 'p8', 'tag=20'])
  await uplink('vlan_mode=native-untagged', 'tag=20', 'trunks=[20]')
  await one.save(20)
  const jobId = await one.push({ cut: [one.id] })
  await until(async () => (await ownVlan()) === '20')
  await uplink('vlan_mode=native-tagged')
  expect(await one.settled(jobId)).toMatchObject({ state: 'applied', detail: '' })
  await lab.reboot('sw2')
  await until(() => one.known(one.id).then(() => true))
  expect(await ownVlan()).toBe('20')
  await one.save(undefined)
  const back = await one.push({ cut: [one.id] })
  await until(async () => (await ownVlan()) === '[]')
  await uplink('vlan_mode=native-untagged')
  expect(await one.settled(back)).toMatchObject({ state: 'applied' })
})

const form = async () =>
  (await one.ok('settings/system/get', { scope: { device: one.id } })) as { revision: number; locked: object }

test('N18: a lease with option 43 locks it', async () => {
  expect((await form()).locked).toEqual({})
  await one.save(30)
  const locked = () => on('sw2', async session => (await driver.observe(session, 'full')).managementByDhcp)
  const lease = (more: string) => `lease {\\n  interface "br0";\\n${more}}\\n`
  const given = lease('  option vendor-encapsulated-options 1:4:a:4d:0:a;\\n')
  await lab.sh('sw2', `mkdir -p /var/lib/dhcp; printf '${given}' >/var/lib/dhcp/dhclient.br0.leases`)
  expect(await locked()).toBe(true)
  await one.known(one.id)
  const { locked: fields, revision } = await form()
  expect(fields).toEqual({ managementVlan: 'byDhcp' })
  const changed = { scope: { device: one.id }, revision, managementVlan: 31 }
  await expect(one.ok('settings/system/save', changed)).rejects.toThrow('locked')
  const preview = await one.ok('devices/push/preview', { deviceId: one.id })
  expect(preview).toMatchObject({ blocks: [], warnings: [{ code: 'managementByDhcp' }] })
  await lab.sh('sw2', `printf '${lease('')}' >>/var/lib/dhcp/dhclient.br0.leases`)
  expect(await locked()).toBeUndefined()
})
