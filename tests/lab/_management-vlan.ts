// A manager with a switch whose own address lies in a VLAN: sw2, behind sw1.
import { managerWith, overSsh } from './_change'
import { lab } from './_lab'

export const ownVlan = async () => (await lab.in('sw2', ['ovs-vsctl', 'get', 'port', 'br0', 'tag'])).stdout.trim()

/** `window`: of its pushes, in seconds. */
export async function managerWithOwnVlan(window: number) {
  await lab.up()
  await Promise.all([lab.reset('sw1'), lab.reset('sw2')])
  const one = await managerWith([await overSsh('sw2', 'switch')], { window })
  return {
    ...one,
    async save(managementVlan: number | undefined) {
      const scope = { device: one.id }
      const { revision } = (await one.ok('settings/system/get', { scope })) as { revision: number }
      await one.ok('settings/system/save', { scope, revision, ...(managementVlan !== undefined && { managementVlan }) })
    },
    async end() {
      await one.end()
      await lab.off('sw2')
      await lab.reset('sw1')
    },
  }
}
