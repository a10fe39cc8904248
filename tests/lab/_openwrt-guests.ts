// A gateway that is an OpenWrt as far as its gate goes (tests/lab/openwrt), with guests in VLAN 20 and a portal of its own.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, Gate } from '@/server/drivers/driver'
import type { Admission, GuestUse } from '@/server/drivers/guests'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import type { OpenwrtSession } from '@/server/drivers/openwrt/uci/session'
import { networkRoles } from '../drivers/_network-roles'
import { never, target } from './_device'
import { type Client, macs } from './_guests'
import { lab, run } from './_lab'
import { becomeOpenwrtGateway } from './_openwrt'
import { join, trunkOff, trunkOn } from './_vlan'

export const key = '00112233445566778899aabbccddeeff'
export const guestLan = '00000000-0000-4000-8000-000000000020'
export const prefix6 = 'fd20:20:20:20'
export const six = 'http://[2001:db8:f::1]/'

export let server: Server
export let gate: Gate

export const guests = (more: object = {}): DesiredDocument => ({
  id: guestLan,
  kind: 'lan',
  name: 'Guests',
  data: {
    ...{ name: 'Guests', vlan: 20, address: '192.168.20.1/24', isolation: true },
    ...{ poolStart: '192.168.20.100', poolEnd: '192.168.20.150', portal: { name: 'Guests', methods: ['free'] } },
    ...more,
  },
})
const observation = {
  ...{ takenAt: 0, depth: 'full' as const, path: { peer: '10.77.0.10', local: '10.77.0.1', interface: 'eth1' } },
  networkRoles,
  networks: [
    { name: 'lan', device: 'br-lan' },
    { name: 'wan', device: 'eth0' },
  ],
}

export async function on<T>(use: (session: OpenwrtSession) => Promise<T>): Promise<T> {
  const session = await driver.connect(await target('gw'), never)
  try {
    return await use(session)
  } finally {
    driver.close(session)
  }
}

/** Pushed, proven and confirmed; what the plan warns of the portal. */
export const apply = (documents: DesiredDocument[], queues = false): Promise<string[]> =>
  on(async session => {
    const capabilities = ['fw4', 'uhttpd', ...(queues ? ['htb'] : [])]
    const input = {
      facts: { kind: 'gateway' as const, capabilities },
      observation,
      documents,
      confirmSeconds: 120,
      gate,
    }
    const { blocks, warnings } = renderAll(driver.renderers, input)
    const next = { blocks }
    expect(warnings.filter(one => one.blocks)).toEqual([])
    const events = { pending: async () => undefined, step: () => undefined }
    const pending = await driver.push(session, await driver.read(session), next, 120, events)
    const seen = await driver.read(session)
    expect(seen.blocks.map(one => one.id).toSorted()).toEqual(blocks.map(one => one.id).toSorted())
    for (const block of blocks) {
      const other = seen.blocks.find(one => one.id === block.id)
      expect([block.id, other && driver.equal(block, other)]).toEqual([block.id, true])
    }
    const problems = await driver.selfCheck(session, next)
    expect(problems.filter(one => /^(portal|firewall)/.test(one.code))).toEqual([])
    await driver.confirm(session, pending)
    return warnings.map(one => one.code).filter(one => one.startsWith('portal'))
  })

export const gateOf = () => {
  const found = driver.actions.guests
  if (!found) throw new Error('no gate')
  return found
}
export const admit = (client: Client, more: Partial<Admission> = {}) =>
  on(session =>
    gateOf().admit(session, [{ mac: macs[client], lan: guestLan, seconds: 3600, idleSeconds: 300, ...more }]),
  )
export const remove = (...clients: Client[]) =>
  on(session =>
    gateOf().remove(
      session,
      clients.map(one => macs[one]),
    ),
  )
export const list = () => on(session => gateOf().list(session))
export const useOf = async (client: Client): Promise<GuestUse | undefined> =>
  (await list()).find(one => one.mac === macs[client])
export const kept = async () => (await lab.sh('gw', 'cat /etc/lanward/away/guests 2>/dev/null')).stdout

export async function begin(): Promise<void> {
  server = createServer((request, response) => response.end(`portal ${request.url}`))
  await new Promise<void>(ready => server.listen(0, '0.0.0.0', ready))
  gate = { url: `http://10.77.0.10:${(server.address() as AddressInfo).port}/portal`, key }
  await trunkOn()
  await run('ip', ['route', 'replace', '192.168.0.0/16', 'via', '10.77.0.1'])
  await lab.sh('inet', 'truncate -s 600M /srv/big; ip -6 addr add 2001:db8:f::1/64 dev eth0 nodad')
  await lab.sh('inet', `ip -6 route replace ${prefix6}::/64 via 2001:db8:f::2`)
  await lab.sh(
    'gw',
    `sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0; ip -6 addr add 2001:db8:f::2/64 dev eth0 nodad
    sed -i 's/icmp type echo-request accept/meta l4proto { icmp, ipv6-icmp } accept/' /etc/nftables.conf`,
  )
  await becomeOpenwrtGateway(prefix6)
  // A system as it comes has no queues, and says so.
  expect(await apply([guests()])).toEqual(['portalDrops'])
  await Promise.all([join(20, 'c1'), join(20, 'c2')])
}
export async function end(): Promise<void> {
  await Promise.all([lab.reset('inet'), trunkOff()])
  await run('ip', ['route', 'del', '192.168.0.0/16'])
  server.close()
}
