import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fleetInProcess } from '../server/_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../server/_manager'
import { type LabStatus, lab, until } from './_lab'

// Real devices, found, adopted and polled; the worker's code runs in this thread, with polls every two seconds instead
// of sixty. The worker as a thread of the built manager: tests/lab/fleet-manager.test.ts.
type Item = {
  address: string
  state: string
  step: string
  deviceId?: number
  failure?: { step: string; reason: string; hostKey?: string }
}
type Row = Record<string, unknown> & { id: number; name: string; status: number; address: string }

let site: LabStatus
let one: Manager
let browser: Browser
beforeAll(async () => {
  site = await lab.up()
  one = await startTestManager({ starters: [fleetInProcess({ pollMs: 2000 })] })
  browser = await finishedWizard(one)
})
afterAll(() => one?.stop())

async function ok(path: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await browser.post(path, body)
  if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
  return answer.data
}

async function adopted(path: string, body: object): Promise<Item[]> {
  const { jobId } = await ok(path, body)
  return until(async () => {
    const job = await ok('devices/adopt/result', { jobId })
    return job.state === 'done' && (job.items as Item[])
  })
}
const rows = async () => (await ok('devices/list', { pageSize: 100 })).result as Row[]
const row = async (address: string) => (await rows()).find(each => each.address === address) as Row
const online = (address: string) => until(async () => (await row(address))?.status === 1)
const fingerprint = async (address: string) => String((await ok('devices/fingerprint', { address })).hostKey)

const password = () => ({ type: 'ssh', user: site.credentials.ssh.user, password: site.credentials.ssh.password })
const key = () => ({
  type: 'ssh',
  user: site.credentials.ssh.user,
  privateKey: readFileSync(site.credentials.ssh.keyFile, 'utf8'),
})
const v3 = (more = {}) => ({
  type: 'snmp3',
  user: site.credentials.snmpV3.user,
  level: 'authPriv',
  authProtocol: 'sha',
  authKey: site.credentials.snmpV3.authPassword,
  privProtocol: 'aes',
  privKey: site.credentials.snmpV3.privPassword,
  ...more,
})

test('a sweep finds gateway, switch and access point, with their host keys, and sends no secret', async () => {
  const before = (await ok('devices/discover/segments')).result as { cidr: string }[]
  expect(before.map(segment => segment.cidr)).toContain('10.77.0.0/22')
  const started = await ok('devices/discover', { segments: ['10.77.0.0/28'] })
  expect(started.total).toBe(13)
  const found = await until(async () => {
    const sweep = await ok('devices/discover/result')
    return sweep.state === 'done' && (sweep.found as { address: string; mac?: string; ssh?: object; snmp?: object }[])
  })
  const byAddress = new Map(found.map(each => [each.address, each]))
  for (const device of ['gw', 'ap1', 'sw1'] as const) {
    const each = byAddress.get(site.addresses[device])
    expect(each?.ssh).toMatchObject({ port: 22, hostKey: expect.stringMatching(/^SHA256:/) })
    expect(each?.snmp).toMatchObject({ versions: ['v3'] })
    expect(each?.mac).toMatch(/^02:00:5e:/)
  }
})

test('segments are checked before anything is sent: N2 private only, /22 at most', async () => {
  const problem = async (segment: string) =>
    (await browser.post('devices/discover', { segments: [segment] })).data.fields as Record<string, string>
  expect(await problem('8.8.8.0/24')).toEqual({ 'segments.0': 'segmentNotPrivate' })
  expect(await problem('10.0.0.0/8')).toEqual({ 'segments.0': 'segmentTooLarge' })
  expect(await problem('10.77.0/24')).toEqual({ 'segments.0': 'segmentInvalid' })
})

describe('adoption that fails says at which step and why', () => {
  const fails = async (device: object) => (await adopted('devices/adopt', { devices: [device] }))[0]?.failure

  test('no host key confirmed: it is shown, and nothing secret was sent', async () => {
    const failure = await fails({ address: site.addresses.gw, credential: password() })
    expect(failure).toMatchObject({
      step: 'hostKey',
      reason: 'hostKeyUnknown',
      hostKey: await fingerprint(site.addresses.gw),
    })
  })
  test('another host key than the confirmed one', async () => {
    const hostKey = `SHA256:${'A'.repeat(43)}`
    const failure = await fails({ address: site.addresses.gw, credential: password(), hostKey })
    expect(failure).toMatchObject({ step: 'hostKey', reason: 'hostKeyChanged' })
  })
  test('wrong password', async () => {
    const hostKey = await fingerprint(site.addresses.gw)
    const failure = await fails({
      address: site.addresses.gw,
      hostKey,
      credential: { ...password(), password: 'wrong' },
    })
    expect(failure).toMatchObject({ step: 'login', reason: 'credentials' })
  })
  test('wrong SNMPv3 key', async () => {
    const failure = await fails({ address: site.addresses.sw1, credential: v3({ authKey: 'not-the-key' }) })
    expect(failure).toMatchObject({ step: 'login', reason: 'credentials' })
  })
  test('wrong community: an agent that stays silent', async () => {
    const failure = await fails({ address: site.addresses.sw1, credential: { type: 'snmp2c', community: 'nope' } })
    expect(failure).toMatchObject({ reason: 'timeout' })
  })
  test('closed port, and an address where nobody is', async () => {
    expect(await fails({ address: site.addresses.gw, port: 4, credential: password() })).toMatchObject({
      step: 'reach',
      reason: 'refused',
    })
    const nobody = await fails({ address: '10.77.3.200', credential: password() })
    expect(nobody?.step).toBe('reach')
    expect(['timeout', 'noRoute']).toContain(nobody?.reason)
  })
  test('something that is no SSH server', async () => {
    const server = createServer(socket => socket.end('HTTP/1.0 400 Bad Request\r\n\r\n'))
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const failure = await fails({ address: '127.0.0.1', port, credential: password() })
    server.close()
    expect(failure?.step).toBe('reach')
    expect(['malformed', 'closed']).toContain(failure?.reason)
  })
})

describe('adopted devices', () => {
  beforeAll(async () => {
    const [gw, ap1] = await Promise.all([fingerprint(site.addresses.gw), fingerprint(site.addresses.ap1)])
    const items = await adopted('devices/adopt', {
      devices: [
        { address: site.addresses.gw, hostKey: gw, credential: key() },
        { address: site.addresses.ap1, hostKey: ap1, credential: password() },
        { address: site.addresses.sw1, credential: v3() },
      ],
    })
    expect(items.map(item => item.state)).toEqual(['adopted', 'adopted', 'adopted'])
    await Promise.all([site.addresses.gw, site.addresses.ap1, site.addresses.sw1].map(online))
  })

  test('each is what it is, by the driver that knows it', async () => {
    expect(await row(site.addresses.gw)).toMatchObject({ name: 'gw', kind: 'gateway', driver: 'linux' })
    expect(await row(site.addresses.ap1)).toMatchObject({ name: 'ap1', driver: 'linux' })
    expect(await row(site.addresses.sw1)).toMatchObject({ name: 'sw1', kind: 'switch', driver: 'snmp' })
  })

  test('a second copy is refused, with the name of the first', async () => {
    const [item] = await adopted('devices/adopt', { devices: [{ address: site.addresses.sw1, credential: v3() }] })
    expect(item?.failure).toMatchObject({ step: 'saved', reason: 'exists', detail: 'sw1' })
  })

  test('a login taken by several devices is stored once and never shown', async () => {
    const { result } = await ok('credentials/list')
    const logins = result as { type: string; login: Record<string, unknown>; devices: { name: string }[] }[]
    expect(logins).toHaveLength(3)
    expect(JSON.stringify(logins)).not.toContain(site.credentials.ssh.password)
    expect(JSON.stringify(logins)).not.toContain(site.credentials.snmpV3.authPassword)
    expect(logins.find(each => each.type === 'snmp3')?.devices.map(device => device.name)).toEqual(['sw1'])
  })

  test('counters rise with real traffic, and a rate is shown', async () => {
    const { id } = await row(site.addresses.gw)
    const busy = await until(async () => {
      // Each time: what one poll counted is gone with the next.
      await lab.sh('c1', `ping -c 40 -i 0.05 -s 1400 ${site.addresses.gw}`)
      const reading = (await ok('devices/info', { id })).reading as { interfaces?: { name: string; inBps?: number }[] }
      return reading.interfaces?.find(each => each.name === 'eth1' && (each.inBps ?? 0) > 1000)
    })
    expect(busy.inBps).toBeGreaterThan(1000)
  })

  test('clients by MAC with name, address and the port they hang on; managed devices are none of them', async () => {
    // Port, name and address come from different devices, in any order.
    const clients = await until(async () => {
      // A switch knows of those alone that have spoken lately, and tells so when it is read whole: else every five minutes.
      for (const client of ['c1', 'c2'] as const)
        await lab.in(client, ['ping', '-c', '1', '-W', '1', site.addresses.gw])
      await ok('devices/sync', { id: (await row(site.addresses.sw1)).id })
      const counts = await ok('dashboard/clients-count')
      const { result } = await ok('clients/list', { pageSize: 100 })
      const found = result as { mac: string; address?: string; name?: string; deviceName: string; port?: string }[]
      const [one, two] = ['c1', 'c2'].map(name => found.find(each => each.mac === `02:00:5e:10:00:${name}`))
      const whole = one?.deviceName === 'sw1' && one.name === 'c1' && one.address?.startsWith('10.77.')
      return whole && two?.deviceName === 'sw1' && counts.wired === found.length && counts.wifi === 0 && found
    })
    expect(clients.find(each => each.mac.endsWith('c1'))).toMatchObject({ port: 'p3', deviceName: 'sw1', name: 'c1' })
    for (const own of ['01', '03', 'f2', '33'])
      expect(clients.map(each => each.mac)).not.toContain(`02:00:5e:10:00:${own}`)
    const counted = await until(async () => {
      const one = await row(site.addresses.sw1)
      return one.clientsCounted && one
    })
    expect((counted as Row).clients).toBeGreaterThan(0)
  })

  test('leases and neighbours stand in the detail of the device that tells them', async () => {
    const { id } = await row(site.addresses.gw)
    const { reading } = await ok('devices/info', { id })
    const { leases } = reading as { leases?: { mac: string }[] }
    expect(leases?.map(lease => lease.mac)).toContain('02:00:5e:10:00:c1')
  })

  test('history, top devices and throughput are filled by polls', async () => {
    const { id } = await row(site.addresses.gw)
    const usage = await until(async () => {
      const series = (await ok('devices/usage', { id, range: '2h' })) as {
        at: number[]
        inBps: (number | null)[]
        availability: (number | null)[]
      }
      return series.inBps.at(-1) !== null && series
    })
    expect(usage.at).toHaveLength(24)
    expect(usage.availability.at(-1)).toBe(100)
    // Before the device was adopted nothing is known: that is no zero.
    expect(usage.inBps[0]).toBeNull()
    const { result } = await ok('dashboard/top-aps', { range: '2h' })
    expect((result as { name: string }[]).map(each => each.name)).toContain('gw')
    const traffic = (await ok('dashboard/bandwidth', { range: '2h' })).now as { source: string; inBps?: number }
    expect(traffic.source).toBe('wan')
    expect(traffic.inBps).toBeGreaterThanOrEqual(0)
  })

  test('a pulled cable: offline as soon as the switch says that its port is down, an alert, and back', async () => {
    const { id } = await row(site.addresses.ap1)
    const { id: behind, name: switchName } = await row(site.addresses.sw1)
    await lab.cut('ap1')
    try {
      // As its own next poll does, within the minute.
      await ok('devices/sync', { id: behind })
      await until(async () => (await row(site.addresses.ap1)).status === 0)
      expect((await ok('dashboard/health')).state).toBe('critical')
      const unread = (await ok('dashboard/alerts')).result as { type: string; device: { id: number }; values: object }[]
      expect(unread[0]).toMatchObject({
        type: 'deviceOffline',
        device: { id },
        values: { switch: switchName, port: 'p2' },
      })
      // The others do not notice.
      expect((await row(site.addresses.gw)).status).toBe(1)
    } finally {
      await lab.join('ap1')
    }
    await online(site.addresses.ap1)
    const { result } = await ok('alerts/list')
    const [recovery, outage] = result as { type: string; recoveredAt: number | null }[]
    expect(recovery?.type).toBe('deviceOnline')
    expect(outage?.recoveredAt).toBeGreaterThan(0)
    const events = (await ok('devices/event-log', { id })).result as { code: string }[]
    expect(events.map(event => event.code).slice(0, 2)).toEqual(['deviceOnline', 'deviceOffline'])
  })

  test('another password on the device: refused, with the reason; the login put right: online again', async () => {
    const { id } = await row(site.addresses.ap1)
    await lab.sh('ap1', "echo 'root:Other-pass-7' | chpasswd")
    try {
      const { result } = await ok('credentials/list')
      const login = (result as { id: number; name: string; devices: { id: number }[] }[]).find(each =>
        each.devices.some(device => device.id === id),
      )
      const wrong = await browser.post('credentials/test', {
        deviceId: id,
        credential: { ...password(), password: 'no' },
      })
      expect(wrong.data.reason).toBe('credentials')
      const refused = await ok('credentials/rotate', {
        id: login?.id,
        credential: { ...password(), password: 'not-it' },
      })
      expect(refused).toMatchObject({ rotated: false, results: [{ deviceId: id, ok: false, reason: 'credentials' }] })
      const taken = await ok('credentials/rotate', {
        id: login?.id,
        credential: { ...password(), password: 'Other-pass-7' },
      })
      expect(taken).toMatchObject({ rotated: true, results: [{ ok: true }] })
      await online(site.addresses.ap1)
      await ok('devices/sync', { id })
    } finally {
      await lab.sh('ap1', `echo 'root:${site.credentials.ssh.password}' | chpasswd`)
    }
  })

  test('a login that is in use cannot be deleted; a forgotten device is gone, and untouched', async () => {
    const { result } = await ok('credentials/list')
    const snmp = (result as { id: number; type: string }[]).find(each => each.type === 'snmp3')
    const refused = await browser.post('credentials/delete', { id: snmp?.id })
    expect(refused.data.devices).toMatchObject([{ name: 'sw1' }])
    await ok('devices/delete', { ids: [(await row(site.addresses.sw1)).id] })
    expect(await row(site.addresses.sw1)).toBeUndefined()
    await ok('credentials/delete', { id: snmp?.id })
    expect((await ok('devices/fingerprint', { address: site.addresses.sw1 })).hostKey).toMatch(/^SHA256:/)
  })
})
