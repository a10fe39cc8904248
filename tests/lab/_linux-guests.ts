// A gateway with guests in VLAN 20, pushed to as the engine does: c1 and c2 are guests, the portal is a server in the
// manager's place.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DesiredDocument } from '@/server/drivers/driver'
import type { Admission, GuestUse } from '@/server/drivers/guests'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { type Client, macs } from './_guests'
import { lab, run } from './_lab'
import { join, trunkOff, trunkOn } from './_vlan'

export const key = '00112233445566778899aabbccddeeff'
export const guestLan = '00000000-0000-4000-8000-000000000020'
export const openAddress = '203.0.113.9'

let server: Server
export let gate: { url: string; key: string }

export const portal = { name: 'Guests', methods: ['free'], walledGarden: [] as string[] }
export const lan = (vlan: number, more: object = {}): DesiredDocument => ({
  id: `00000000-0000-4000-8000-0000000000${vlan}`,
  kind: 'lan',
  name: `LAN ${vlan}`,
  data: {
    name: `LAN ${vlan}`,
    vlan,
    address: `192.168.${vlan}.1/24`,
    poolStart: `192.168.${vlan}.100`,
    poolEnd: `192.168.${vlan}.150`,
    ...more,
  },
})
export const guests = (more: Partial<typeof portal> = {}) =>
  lan(20, { isolation: true, ipv6: 'ula', portal: { ...portal, ...more } })

/** Pushed, proven and confirmed; what the plan warns of the portal. */
export const apply = (documents: DesiredDocument[], without = ''): Promise<string[]> =>
  on('gw', async session => {
    const { next, warnings } = await plan(session, documents, 60, { gate, without })
    expect(warnings.filter(one => one.blocks)).toEqual([])
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    const seen = await driver.read(session)
    const texts = (blocks: { id: string; text: string }[]) => Object.fromEntries(blocks.map(one => [one.id, one.text]))
    expect(texts(seen.blocks)).toEqual(texts(next.blocks))
    await driver.confirm(session, pending)
    return warnings.map(one => one.code).filter(one => one.startsWith('portal'))
  })

export const gateOf = () => {
  const found = driver.actions.guests
  if (!found) throw new Error('no gate')
  return found
}
export const admit = (client: Client, more: Partial<Admission> = {}) =>
  on('gw', session =>
    gateOf().admit(session, [{ mac: macs[client], lan: guestLan, seconds: 3600, idleSeconds: 300, ...more }]),
  )
export const remove = (...clients: Client[]) =>
  on('gw', session =>
    gateOf().remove(
      session,
      clients.map(one => macs[one]),
    ),
  )
export const list = () => on('gw', session => gateOf().list(session))
export const useOf = async (client: Client): Promise<GuestUse | undefined> =>
  (await list()).find(one => one.mac === macs[client])

export async function begin(): Promise<void> {
  server = createServer((request, response) => response.end(`portal ${request.url}`))
  await new Promise<void>(ready => server.listen(0, '0.0.0.0', ready))
  gate = { url: `http://10.77.0.10:${(server.address() as AddressInfo).port}/portal`, key }
  await trunkOn()
  // The manager's place has no way but to its own network.
  await run('ip', ['route', 'replace', '192.168.0.0/16', 'via', '10.77.0.1'])
  await lab.sh(
    'inet',
    `ip addr add ${openAddress}/24 dev eth0; truncate -s 600M /srv/big; ip -6 addr add 2001:db8:f::1/64 dev eth0 nodad`,
  )
  await lab.sh(
    'gw',
    `echo host-record=open.internet.test,${openAddress} >>/etc/dnsmasq.d/lan.conf; systemctl restart dnsmasq
    sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0; ip -6 addr add 2001:db8:f::2/64 dev eth0 nodad
    nft insert rule inet filter input iifname eth0 meta l4proto ipv6-icmp accept`,
  )
  expect(await apply([guests()])).toEqual([])
  await Promise.all([join(20, 'c1'), join(20, 'c2')])
}
export async function end(): Promise<void> {
  await Promise.all([lab.reset('inet'), trunkOff()])
  await run('ip', ['route', 'del', '192.168.0.0/16'])
  server.close()
}
