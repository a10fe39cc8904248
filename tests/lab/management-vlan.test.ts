// The VLAN of a switch's own address in which the manager reaches it: it stays.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { managerWith, overSsh } from './_change'
import { on } from './_device'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>
beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('sw1'), lab.reset('sw2')])
  one = await managerWith([await overSsh('sw2', 'switch')], { window: 300 })
})
afterAll(async () => {
  await one?.end()
  await lab.off('sw2')
  await lab.reset('sw1')
})

const save = async (managementVlan: number | undefined) => {
  const scope = { device: one.id }
  const { revision } = (await one.ok('settings/system/get', { scope })) as { revision: number }
  await one.ok('settings/system/save', { scope, revision, ...(managementVlan !== undefined && { managementVlan }) })
}
const ownVlan = async () => (await lab.in('sw2', ['ovs-vsctl', 'get', 'port', 'br0', 'tag'])).stdout.trim()
/** The neighbour's port that leads to it: as it is, tagged or not in the manager's VLAN. */
const uplink = (...words: string[]) => lab.in('sw1', ['ovs-vsctl', 'set', 'port', 'p6', ...words])
test('a management VLAN in which the manager reaches the device stays, after a boot too, and ends with the setting', async () => {
  await lab.in('sw1', ['ovs-vsctl', 'set', 'port', 'p8', 'tag=20'])
  await uplink('vlan_mode=native-untagged', 'tag=20', 'trunks=[20]')
  await save(20)
  const jobId = await one.push({ cut: [one.id] })
  await until(async () => (await ownVlan()) === '20')
  await uplink('vlan_mode=native-tagged')
  expect(await one.settled(jobId)).toMatchObject({ state: 'applied', detail: '' })
  await lab.reboot('sw2')
  await until(() => one.known(one.id).then(() => true))
  expect(await ownVlan()).toBe('20')
  await save(undefined)
  const back = await one.push({ cut: [one.id] })
  await until(async () => (await ownVlan()) === '[]')
  await uplink('vlan_mode=native-untagged')
  expect(await one.settled(back)).toMatchObject({ state: 'applied' })
})

const form = async () =>
  (await one.ok('settings/system/get', { scope: { device: one.id } })) as { revision: number; locked: object }

test('N18: a lease with option 43 locks it', async () => {
  expect((await form()).locked).toEqual({})
  await save(30)
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
