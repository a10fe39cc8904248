// Whether a port is open, and how much goes through between two devices of the lab, by iperf3 on both.
import { lab, until } from './_lab'
import { ap, ask, begin, end, ended, gateway, gw, look, result, site, sw } from './_troubleshooting'

beforeAll(begin)
afterAll(end)

test('TCP port: open, refused and filtered, from a device and from the manager', async () => {
  const rules = 'table inet shut { chain in { type filter hook input priority -300; tcp dport 4444 drop; }; }'
  await lab.in('gw', ['nft', '-f', '-'], { input: rules })
  try {
    for (const from of [ap, undefined]) {
      expect((await look({ tool: 'port', host: gateway, port: 22 }, from)).figures).toMatchObject({ state: 'open' })
      expect((await look({ tool: 'port', host: gateway, port: 23 }, from)).figures).toMatchObject({ state: 'refused' })
      expect((await look({ tool: 'port', host: gateway, port: 4444 }, from)).figures).toMatchObject({ state: 'silent' })
    }
  } finally {
    await lab.sh('gw', 'nft delete table inet shut')
  }
})

/** Octets that came in by a device's cable so far, in its kernel's count: what was lost on the way is not among them. */
const carried = async (device: 'gw' | 'ap1', name: string) =>
  Number((await lab.sh(device, `cat /sys/class/net/${name}/statistics/rx_bytes`)).stdout)

test.each([
  ['gw', 'eth1', false],
  ['ap1', 'eth0', true],
] as const)('iperf3 between two devices: what it counts came in at %s', async (device, name, reverse) => {
  const before = await carried(device, name)
  const seen = await look({ tool: 'iperf3', peer: gw, seconds: 3, reverse }, ap)
  const { figures } = seen
  if (figures?.tool !== 'iperf3') throw new Error(JSON.stringify(seen))
  const { bytes = 0, bps = 0, rates, peer } = figures
  expect({ state: seen.state, peer, seconds: rates.length }).toEqual({ state: 'done', peer: 'gw', seconds: 3 })
  expect(bps).toBeGreaterThan(0)
  const share = ((await carried(device, name)) - before) / bytes
  expect(share).toBeGreaterThan(1)
  expect(share).toBeLessThan(1.1)
})

test('iperf3 is canceled on both devices, and needs another device that can run it', async () => {
  const id = await ask({ tool: 'iperf3', peer: gw, seconds: 30 }, ap)
  await until(async () => (await result(id)).figures)
  await site.ok('diagnostics/stop', { id })
  expect((await ended(id)).state).toBe('cancelled')
  const leftOn = async (device: 'ap1' | 'gw') => (await lab.sh(device, 'pgrep -x iperf3 | wc -l')).stdout.trim()
  await until(async () => (await leftOn('ap1')) === '0' && (await leftOn('gw')) === '0')
  const refused = (peer: number | undefined, more: object) =>
    site.browser.post('diagnostics/run', { request: { tool: 'iperf3', peer }, ...more })
  for (const peer of [ap, sw, 999])
    expect(await refused(peer, { deviceId: ap })).toMatchObject({ data: { fields: { 'request.peer': 'notAllowed' } } })
  expect(await refused(gw, {})).toMatchObject({ data: { fields: { deviceId: 'required' } } })
})

test('a device without iperf3 is named', async () => {
  await lab.sh('gw', 'mv /usr/bin/iperf3 /usr/bin/iperf3.away')
  try {
    const seen = await look({ tool: 'iperf3', peer: gw, seconds: 1 }, ap)
    expect(seen).toMatchObject({
      ...{ state: 'failed', failure: { reason: 'missing', detail: 'iperf3 gw' } },
      figures: { peer: 'gw', rates: [] },
    })
  } finally {
    await lab.sh('gw', 'mv /usr/bin/iperf3.away /usr/bin/iperf3')
  }
})
