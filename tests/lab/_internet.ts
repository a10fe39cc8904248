// Ways to the internet and routes as a client meets them: a server out there tells which address a client comes from.
import type { DesiredDocument } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { lab, until } from './_lab'

export const wan = (id: number, data: Record<string, unknown>): DesiredDocument => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  kind: 'wan',
  name: `WAN ${id}`,
  data: { name: `WAN ${id}`, ...data },
})
export const first = wan(1, { interface: 'eth0', connection: 'kept', metric: 1 })
export const second = wan(2, { interface: 'eth3', connection: 'dhcp', metric: 2 })
export const route = (kind: string, data: Record<string, unknown>): DesiredDocument => ({
  id: '00000000-0000-4000-8000-000000000009',
  kind,
  name: 'Route',
  data: { name: 'Route', ...data },
})

const asked = 'timeout 5 busybox wget -q -O - http://192.88.99.7/cgi-bin/address'
/** The address by which a client is seen in the internet; nothing where it does not get there. */
export const seenAs = async (device: 'c1' | 'c2') => (await lab.sh(device, asked)).stdout.trim()
export const leavesBy = (device: 'c1' | 'c2', address: RegExp | string) =>
  until(async () => {
    const seen = await seenAs(device)
    if (typeof address === 'string' ? seen === address : address.test(seen)) return seen
    throw new Error(`seen as ${seen || 'nobody'}`)
  })
export const one = '203.0.113.2'
export const two = /^198\.51\.100\.2\d\d$/

export async function apply(documents: DesiredDocument[]): Promise<void> {
  await on('gw', async session => {
    const { next, warnings } = await plan(session, documents)
    expect(warnings.filter(warning => warning.blocks)).toEqual([])
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    await driver.confirm(session, pending)
  })
}

export async function begin(): Promise<void> {
  await lab.up()
  // The device's own firewall knows one way out; a person who adds one opens it.
  await lab.sh(
    'gw',
    `sed -i 's/iifname "eth1" oifname "eth0" accept/iifname "eth1" accept/' /etc/nftables.conf && systemctl restart nftables`,
  )
  await lab.in('inet', ['ip', 'route', 'replace', '10.77.0.0/22', 'via', '203.0.113.2'])
}
export const end = () => Promise.all((['inet', 'gw', 'c1', 'c2'] as const).map(device => lab.reset(device)))
