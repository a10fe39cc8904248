import { type Credential, isDeviceError, type Target } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { tag } from '@/server/drivers/snmp/protocol/ber'
import { discover, openChannel, set } from '@/server/drivers/snmp/protocol/transport'
import { type LabStatus, lab, until } from './_lab'

type Managed = 'gw' | 'sw1' | 'ap1'
const managed: readonly Managed[] = ['gw', 'sw1', 'ap1']
let status: LabStatus

beforeAll(async () => {
  status = await lab.up()
})

const target = (device: Managed, credential: Credential): Target => ({
  address: status.addresses[device],
  port: 161,
  credential,
})
const v2c = (): Credential => ({ type: 'snmp2c', community: status.credentials.snmp.read })
const v3 = (more: Partial<Extract<Credential, { type: 'snmp3' }>> = {}): Credential => ({
  type: 'snmp3',
  user: status.credentials.snmpV3.user,
  level: 'authPriv',
  authProtocol: 'sha',
  authKey: status.credentials.snmpV3.authPassword,
  privProtocol: 'aes',
  privKey: status.credentials.snmpV3.privPassword,
  ...more,
})

async function observe(
  device: Managed,
  credential: Credential,
  depth: 'counters' | 'full' = 'full',
): Promise<Observation> {
  const session = await snmpDriver.connect(target(device, credential), AbortSignal.timeout(60_000))
  try {
    return await snmpDriver.observe(session, depth)
  } finally {
    snmpDriver.close(session)
  }
}
const reasonOf = (device: Managed, credential: Credential) =>
  snmpDriver.connect(target(device, credential), AbortSignal.timeout(60_000)).then(
    () => 'none',
    error => (isDeviceError(error) ? error.reason : String(error)),
  )

describe('real snmpd', () => {
  it.each(managed)('%s: version 2c and version 3 tell the same name', async device => {
    for (const credential of [v2c(), v3()]) expect((await observe(device, credential)).facts?.hostname).toBe(device)
  })

  it('is found without a secret', async () => {
    expect((await discover(status.addresses.sw1))?.engineId).toMatch(/^[\da-f]{10,}$/)
  })

  it.each([
    ['an unknown user', { user: 'nobody' }],
    ['a wrong authentication key', { authKey: 'not-the-pass' }],
    ['a wrong privacy key', { privKey: 'not-the-pass' }],
    ['a level below what the user must have', { level: 'noAuthNoPriv' as const }],
  ])('version 3 with %s: credentials', async (_, more) => {
    expect(await reasonOf('gw', v3(more))).toBe('credentials')
  })

  it('a wrong community: timeout, for the agent stays silent', async () => {
    expect(await reasonOf('gw', { type: 'snmp2c', community: 'guess' })).toBe('timeout')
  })

  it('takes MD5 and DES, which old switches know alone', async () => {
    const conf = 'createUser old MD5 maplesyrup12 DES tannenbaum34\\nrouser old priv\\n'
    const start = `mkdir -p /run/old && printf '${conf}' >/run/old.conf && SNMP_PERSISTENT_DIR=/run/old MIBS= snmpd -C -c /run/old.conf -I -smux -p /run/old.pid udp:1161`
    expect(await lab.sh('gw', start)).toMatchObject({ code: 0 })
    try {
      const credential = v3({
        user: 'old',
        authProtocol: 'md5',
        authKey: 'maplesyrup12',
        privProtocol: 'des',
        privKey: 'tannenbaum34',
      })
      const session = await snmpDriver.connect({ ...target('gw', credential), port: 1161 }, AbortSignal.timeout(60_000))
      const seen = await snmpDriver.observe(session, 'counters')
      expect(seen.interfaces?.map(each => each.name)).toContain('lo')
      snmpDriver.close(session)
    } finally {
      await lab.sh('gw', 'kill "$(cat /run/old.pid)"')
    }
  })

  it('goes on after the agent is restarted and its clock with it', async () => {
    const session = await snmpDriver.connect(target('gw', v3()), AbortSignal.timeout(60_000))
    await snmpDriver.observe(session, 'counters')
    await lab.in('gw', ['systemctl', 'restart', 'snmpd'])
    const seen = await until(() => snmpDriver.observe(session, 'counters'))
    expect(seen.interfaces?.length).toBeGreaterThan(1)
    snmpDriver.close(session)
  })
})

describe('the switch', () => {
  const client = '02:00:5e:10:00:c1'

  it('shows its ports, PoE, the client on its port with its address, and its neighbours', async () => {
    await lab.in('c1', ['ping', '-c1', '-W1', '10.77.0.1'])
    const seen = await until(async () => {
      const found = await observe('sw1', v2c())
      const names = found.neighbours?.map(each => each.systemName)
      return names?.includes('gw') && names.includes('ap1') && found.hosts?.some(each => each.mac === client) && found
    })
    expect(seen.problems).toBeUndefined()
    expect(seen.facts?.kind).toBe('switch')
    const portOf = (key: string | undefined) => seen.interfaces?.find(each => each.key === key)?.name
    expect(seen.ports?.map(each => portOf(each.interface)).slice(0, 3)).toEqual(['p1', 'p2', 'p3'])
    expect(seen.ports?.filter(each => each.poe).length).toBeGreaterThan(0)
    expect(seen.ports?.find(each => portOf(each.interface) === 'p2')?.poe).toMatchObject({
      enabled: true,
      state: 'delivering',
    })
    const host = seen.hosts?.find(each => each.mac === client)
    expect(portOf(host?.port)).toBe('p3')
    expect(host?.vlan).toBe(1)
    const uplink = seen.neighbours?.find(each => each.systemName === 'gw')
    expect(portOf(uplink?.localPort)).toBe('p1')
    expect(seen.ports?.find(each => portOf(each.interface) === 'p3')?.nativeVlan).toBe(1)
  })

  it('takes a setting with the community for writing, and refuses it with the other', async () => {
    const admin = '1.3.6.1.2.1.105.1.1.1.3.1.2'
    const { read, write } = status.credentials.snmp
    const channelWith = (writeCommunity: string) =>
      openChannel(target('sw1', { type: 'snmp2c', community: read, writeCommunity }))
    const turn = async (value: number, community: string) =>
      set(await channelWith(community), [{ oid: admin, type: tag.integer, value }])
    const state = async () => (await observe('sw1', v2c())).ports?.find(each => each.label === 'p2')?.poe?.state
    await expect(turn(2, read)).rejects.toMatchObject({ reason: 'credentials' })
    expect(await state()).toBe('delivering')
    await turn(2, write)
    expect(await state()).toBe('disabled')
    await turn(1, write)
    expect(await state()).toBe('delivering')
  })

  it('counts what a client sends, on its port, in 64 bits', async () => {
    const session = await snmpDriver.connect(target('sw1', v2c()), AbortSignal.timeout(60_000))
    const octets = async () => {
      const seen = await snmpDriver.observe(session, 'counters')
      return seen.interfaces?.find(each => each.name === 'p3')?.counters
    }
    const before = await octets()
    await lab.in('c1', ['ping', '-c', '20', '-i', '0.05', '-s', '1400', '10.77.0.1'])
    // snmpd keeps interface counters for some seconds.
    await until(async () => ((await octets())?.inOctets ?? 0) - (before?.inOctets ?? 0) > 20 * 1400)
    expect(before?.bits).toBe(64)
    snmpDriver.close(session)
  })
})
