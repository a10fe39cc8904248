// The LAN's networks as a client meets them: c2 hangs on a trunk of the gateway, in the VLAN that its port is set to.
import type { DesiredDocument, Pending } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { lab } from './_lab'
import { trunkOn } from './_vlan'

export const document = (vlan: number, data: Record<string, unknown> = {}): DesiredDocument => ({
  id: `00000000-0000-4000-8000-0000000000${vlan}`,
  kind: 'lan',
  name: `LAN ${vlan}`,
  data: {
    name: `LAN ${vlan}`,
    vlan,
    address: `192.168.${vlan}.1/24`,
    poolStart: `192.168.${vlan}.100`,
    poolEnd: `192.168.${vlan}.150`,
    ...data,
  },
})
export const guest = document(20, {
  domain: 'guest.test',
  lease: 7,
  wins: ['192.168.20.5', '192.168.20.6'],
  options: [
    { code: 42, type: 'address', value: '192.168.20.7, 192.168.20.8' },
    { code: 43, type: 'hex', value: '0104c0a8140a' },
    { code: 66, type: 'text', value: 'a "b\\, $(c):d' },
    { code: 224, type: 'text', value: '1500' },
    { code: 225, type: 'text', value: '5' },
  ],
})
export const office = document(30, {
  leases: [{ mac: '02:00:5e:10:00:c2', address: '192.168.30.77', name: 'printer' }],
})

export const client = async (command: string) => (await lab.sh('c2', command)).stdout
export const reaches = async (address: string) => (await lab.sh('c2', `ping -c 1 -W 2 ${address}`)).code === 0

export async function apply(documents: DesiredDocument[]): Promise<Pending> {
  return on('gw', async session => {
    const { next, warnings } = await plan(session, documents)
    expect(warnings.filter(warning => warning.blocks)).toEqual([])
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    const seen = await driver.read(session)
    const order = (blocks: { id: string; text: string }[]) =>
      blocks.map(({ id, text }) => ({ id, text })).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(order(seen.blocks)).toEqual(order(next.blocks))
    return pending
  })
}
export const confirm = (pending: Pending) => on('gw', session => driver.confirm(session, pending))

/** Both networks are there. */
export async function begin(): Promise<void> {
  await trunkOn()
  await confirm(await apply([guest, office]))
}
