// Packets that pass through a device of the lab, captured by a person: what was sent is in the file, and nothing is left.
import { writeFileSync } from 'node:fs'
import type { Figures } from '@/model/troubleshooting/request'
import { managerWith, overSsh } from './_change'
import { type Device, lab, until } from './_lab'
import { becomeOpenwrt } from './_openwrt'

type Shown = {
  id: string
  state: 'running' | 'done' | 'failed' | 'cancelled'
  figures?: Extract<Figures, { tool: 'capture' }>
  lines: string[]
  failure?: { reason: string; detail: string }
}

let site: Awaited<ReturnType<typeof managerWith>>
let state: string
let [ap, sw]: number[] = []
const address = { ap1: '10.77.0.3', sw1: '10.77.0.2' }

beforeAll(async () => {
  state = (await lab.up()).state
  await Promise.all([lab.reset('ap1'), lab.reset('sw1')])
  // Its dropbear and busybox are those of an OpenWrt, and read every script.
  await becomeOpenwrt('')
  site = await managerWith([await overSsh('ap1', 'ap'), await overSsh('sw1', 'switch', 'openwrt')])
  ;[ap, sw] = site.ids
})
afterAll(async () => {
  await site?.end()
  await lab.reset('sw1')
})

const ask = (request: object, deviceId = ap) =>
  site.browser.post('diagnostics/run', { deviceId, request: { tool: 'capture', ...request } })
async function begin(request: object, deviceId = ap): Promise<string> {
  const id = String((await site.ok('diagnostics/run', { deviceId, request: { tool: 'capture', ...request } })).id)
  await until(async () => {
    const { lines, state } = await result(id)
    return state !== 'running' || lines.some(line => line.includes('listening on'))
  })
  return id
}
const result = (id: string) => site.ok('diagnostics/result', { id }) as Promise<unknown> as Promise<Shown>
const ended = (id: string) =>
  until(async () => {
    const now = await result(id)
    return now.state !== 'running' && now
  })
/** Of tcpdump, on the device. */
const left = async (device: Device) => (await lab.sh(device, 'pgrep -x tcpdump | wc -l')).stdout.trim()
const ping = (device: keyof typeof address, count: number, size = 56) =>
  lab.tool('ping', '-c', String(count), '-i', '0.2', '-s', String(size), address[device])
const fileOf = (id: string) => site.browser.raw(`exports/capture?id=${id}`, { method: 'GET' })
/** What tcpdump reads of a file in the lab's state folder. */
const readBack = async (name: string, ...more: string[]) =>
  (await lab.tool('tcpdump', '-nn', '-t', '-e', ...more, '-r', `/mnt/${name}`)).stdout.trim().split('\n')

/** The interface that has the device's address: on others of a bridge each packet passes once more. */
const ownInterface = async (device: keyof typeof address) =>
  (await lab.sh(device, `ip -o -4 addr show | grep -F ${address[device]}/ | awk '{ print $2 }'`)).stdout.trim()

test.each(['ap1', 'sw1'] as const)(
  'on %s the file holds the packets that were sent, and the list says the same',
  async device => {
    const name = await ownInterface(device)
    const id = await begin({ interface: name, filter: 'icmp', packets: 6, seconds: 30 }, device === 'ap1' ? ap : sw)
    await ping(device, 3, 100)
    const seen = await ended(id)
    expect(seen).toMatchObject({ state: 'done', figures: { packets: 6 } })
    const manager = (await lab.up()).addresses.mgr
    const there = { source: manager, destination: address[device], protocol: 'ICMP' }
    expect(seen.figures?.rows[0]).toMatchObject(there)
    expect(seen.figures?.rows[1]).toMatchObject({ source: address[device], destination: manager })
    const answer = await fileOf(id)
    expect(answer.headers.get('content-disposition')).toContain('capture.pcap')
    writeFileSync(`${state}/${device}.pcap`, Buffer.from(await answer.arrayBuffer()))
    const read = await readBack(`${device}.pcap`)
    expect(read).toHaveLength(6)
    for (const [at, line] of read.entries()) {
      const kind = at % 2 === 0 ? 'request' : 'reply'
      expect(line).toMatch(new RegExp(`ICMP echo ${kind}, id \\d+, seq ${Math.floor(at / 2) + 1}, length 108$`))
      expect(line).toContain(seen.figures?.rows[at]?.info ?? '-')
    }
    expect(await left(device)).toBe('0')
  },
)

test('on all interfaces of a device, of whatever link', async () => {
  const id = await begin({ filter: 'icmp', packets: 6, seconds: 30 }, sw)
  await ping('sw1', 6)
  const { figures } = await ended(id)
  expect(new Set(figures?.rows.map(one => one.protocol))).toEqual(new Set(['ICMP']))
  writeFileSync(`${state}/any.pcap`, Buffer.from(await (await fileOf(id)).arrayBuffer()))
  const read = await readBack('any.pcap')
  expect(read).toHaveLength(6)
  for (const line of read) expect(line).toMatch(/ICMP echo (request|reply)/)
})

test('bytes are those that the device saw: a capture of its own at the same time is equal', async () => {
  const own = lab.sh('ap1', 'timeout 60 tcpdump -i eth0 -c 4 -w /run/own.pcap icmp 2>/run/own.log')
  await until(async () => (await lab.sh('ap1', 'cat /run/own.log')).stdout.includes('listening on'))
  const id = await begin({ interface: 'eth0', filter: 'icmp', packets: 4, seconds: 30, bytes: 1600 })
  await ping('ap1', 2, 900)
  await own
  await ended(id)
  writeFileSync(`${state}/ours.pcap`, Buffer.from(await (await fileOf(id)).arrayBuffer()))
  const theirs = (await lab.sh('ap1', 'tcpdump -nn -t -e -xx -r /run/own.pcap 2>/dev/null')).stdout.trim().split('\n')
  expect(await readBack('ours.pcap', '-xx')).toEqual(theirs)
})

test('the manager’s own connection is left out: nothing is told of itself', async () => {
  const id = await begin({ interface: 'eth0', filter: 'tcp', seconds: 3, packets: 2000 })
  const { figures, state } = await ended(id)
  expect(state).toBe('done')
  expect(figures?.packets).toBeLessThan(500)
})

test.each([
  'icmp; touch /run/owned',
  '$(touch /run/owned)',
  '`touch /run/owned`',
  "'; touch /run/owned; '",
  'icmp) or (tcp',
  'nonsense words',
])('a filter that tcpdump does not take is refused at its field in its words: %j', async filter => {
  expect(await ask({ filter })).toMatchObject({
    data: {
      fields: { 'request.filter': 'captureRefused' },
      values: { 'request.filter': { said: expect.stringMatching(/syntax error|filter expression|illegal|unknown/) } },
    },
  })
  expect((await lab.sh('ap1', 'ls /run/owned')).code).not.toBe(0)
  expect(await left('ap1')).toBe('0')
})

test('an option is no filter, and an interface has to be there', async () => {
  expect(await ask({ filter: '-w /run/owned' })).toMatchObject({
    data: { fields: { 'request.filter': 'captureFilterText' } },
  })
  expect(await ask({ interface: 'eth9' })).toMatchObject({
    data: { fields: { 'request.interface': 'captureRefused' } },
  })
  expect(await site.browser.post('diagnostics/run', { request: { tool: 'capture' } })).toMatchObject({
    data: { fields: { deviceId: 'required' } },
  })
})

test('two at once: one is canceled and keeps what it has, the other goes on', async () => {
  const first = await begin({ interface: 'eth0', filter: 'icmp', seconds: 60 })
  const second = await begin({ interface: 'eth0', filter: 'icmp', seconds: 60, packets: 8, name: 'second' })
  expect(await left('ap1')).toBe('2')
  await ping('ap1', 3)
  await until(async () => ((await result(first)).figures?.packets ?? 0) > 0)
  await site.ok('diagnostics/stop', { id: first })
  const stopped = await ended(first)
  expect(stopped.state).toBe('cancelled')
  expect(stopped.figures?.packets).toBeGreaterThan(0)
  expect((await fileOf(first)).status).toBe(200)
  await until(async () => (await left('ap1')) === '1')
  await ping('ap1', 1)
  expect(await ended(second)).toMatchObject({ state: 'done', figures: { packets: 8 } })
  await until(async () => (await left('ap1')) === '0')
  await site.ok('diagnostics/delete', { ids: [first] })
  expect(((await (await fileOf(first)).json()) as { retCode: number }).retCode).not.toBe(0)
})

test.each([
  ['ap1', 'eth0'],
  ['sw1', 'p2'],
] as const)('%s ends it by itself, in time and when the link to it is lost', async (device, name) => {
  const id = device === 'ap1' ? ap : sw
  const none = { interface: name, filter: 'udp port 9', seconds: 2 }
  expect(await ended(await begin(none, id))).toMatchObject({ state: 'done' })
  expect(await left(device)).toBe('0')
  const lost = await begin({ ...none, seconds: 6 }, id)
  await lab.cut(device)
  try {
    expect(await left(device)).toBe('1')
    await until(async () => (await left(device)) === '0')
    expect(await ended(lost)).toMatchObject({ state: 'failed' })
  } finally {
    await lab.join(device)
  }
})

test('an interface that goes away in the middle: the capture failed and says why, and keeps what it had', async () => {
  const up = 'ip link set va up && ip link set vb up && ip addr add 10.99.0.1/24 dev va'
  await lab.sh('ap1', `ip link add va type veth peer name vb && ${up}`)
  try {
    const id = await begin({ interface: 'va', filter: 'arp', seconds: 60 })
    await lab.sh('ap1', 'ping -c 3 -i 0.2 -W 1 10.99.0.9')
    await until(async () => ((await result(id)).figures?.packets ?? 0) > 0)
    await lab.sh('ap1', 'ip link del va')
    expect(await ended(id)).toMatchObject({
      ...{ state: 'failed', failure: { reason: 'commandFailed', detail: expect.stringContaining('interface') } },
      figures: { packets: expect.any(Number) },
    })
    expect((await fileOf(id)).headers.get('content-disposition')).toContain('capture.pcap')
  } finally {
    await lab.sh('ap1', 'ip link del va 2>/dev/null; true')
  }
})

test('a device without tcpdump says what to install', async () => {
  await lab.sh('ap1', 'mv /usr/bin/tcpdump /usr/bin/tcpdump.away')
  try {
    const { id } = await site.ok('diagnostics/run', { deviceId: ap, request: { tool: 'capture' } })
    expect(await ended(String(id))).toMatchObject({
      ...{ state: 'failed', failure: { reason: 'missing', detail: 'tcpdump' } },
    })
  } finally {
    await lab.sh('ap1', 'mv /usr/bin/tcpdump.away /usr/bin/tcpdump')
  }
})
