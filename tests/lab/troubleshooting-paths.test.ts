// What a person asks of the way to a host: what is lost on it, the routers, the names, the neighbors.
import type { Hop } from '@/model/troubleshooting/request'
import { lab } from './_lab'
import { ap, begin, end, gateway, gw, internet, look, type Shown } from './_troubleshooting'

beforeAll(begin)
afterAll(end)

const addresses = (hops: readonly Hop[]) => hops.map(hop => hop.address)
const hopsOf = ({ figures }: Shown) => (figures?.tool === 'mtr' || figures?.tool === 'traceroute' ? figures.hops : [])
test('loss that the network really has is told in figures, as ping itself counts it', async () => {
  const rules =
    'table inet lossy { chain in { type filter hook input priority -300; icmp type echo-request numgen inc mod 4 < 1 drop; }; }'
  await lab.in('gw', ['nft', '-f', '-'], { input: rules })
  try {
    const seen = await look({ tool: 'ping', host: gateway, count: 8 }, ap)
    expect(seen.figures).toMatchObject({ sent: 8, received: 6 })
    expect(seen.lines.find(line => line.includes('packets transmitted'))).toContain('25% packet loss')
  } finally {
    await lab.sh('gw', 'nft delete table inet lossy')
  }
})

test('traceroute: the gateway, then the host behind it', async () => {
  const seen = await look({ tool: 'traceroute', host: internet }, ap)
  expect(seen).toMatchObject({ state: 'done', figures: { tool: 'traceroute', reached: true } })
  expect(addresses(hopsOf(seen))).toEqual([gateway, internet])
})

test('MTR: the router that loses packets is the one with the loss', async () => {
  const rules = `table inet lossy { chain in { type filter hook input priority -300; icmp type echo-request ip ttl > 2 numgen inc mod 2 < 1 drop; }; }`
  await lab.in('gw', ['nft', '-f', '-'], { input: rules })
  try {
    const seen = await look({ tool: 'mtr', host: internet, rounds: 4 }, ap)
    const [first, second] = hopsOf(seen)
    expect(first).toMatchObject({ address: gateway, sent: 4, received: 2 })
    expect(second).toMatchObject({ address: internet, sent: 4, received: 4 })
  } finally {
    await lab.sh('gw', 'nft delete table inet lossy')
  }
})

test('DNS: by the device’s own resolver and by a server from the manager; no record, a refusal, silence', async () => {
  const own = await look({ tool: 'dns', name: 'www.internet.test' }, gw)
  expect(own.figures).toMatchObject({ state: 'found', answers: [internet] })
  const asked = { tool: 'dns', name: 'www.internet.test', server: gateway }
  expect((await look(asked)).figures).toMatchObject({ state: 'found', answers: [internet] })
  await lab.sh('gw', 'echo local=/lab.test/ >/etc/dnsmasq.d/own.conf && systemctl restart dnsmasq')
  expect((await look({ ...asked, name: 'nobody.lab.test' })).figures).toMatchObject({ state: 'none', answers: [] })
  expect((await look({ ...asked, name: 'nobody.test' })).figures).toMatchObject({ state: 'refused', answers: [] })
  expect((await look({ ...asked, name: internet })).figures).toMatchObject({ answers: ['www.internet.test'] })
  expect((await look({ ...asked, server: '10.77.0.77' })).figures).toMatchObject({ state: 'silent' })
})

test('the neighbor table of the gateway has the access point with its MAC address', async () => {
  await look({ tool: 'ping', host: gateway, count: 1 }, ap)
  const { figures } = await look({ tool: 'neighbours' }, gw)
  if (figures?.tool !== 'neighbours') throw new Error('no neighbours')
  const { addresses: known } = await lab.up()
  expect(figures.neighbours.find(one => one.address === known.ap1)).toMatchObject({
    mac: '02:00:5e:10:00:03',
    interface: 'eth1',
  })
})
