// Port profiles on a real switch, over SNMP: the link, the description, VLANs and PoE, and who puts back what.
import type { Credential } from '@/server/drivers/driver'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { bundlePushChild, runPush } from '../soak/push-run'
import { managerWithSwitch } from './_change'
import { lab, until } from './_lab'

/** Long enough for a proof on a busy machine; and one that is let pass. */
const [confirmSeconds, shortSeconds] = [40, 15]
let one: Awaited<ReturnType<typeof managerWithSwitch>>

beforeAll(async () => {
  await lab.up()
  await lab.reset('sw1')
  bundlePushChild()
  one = await managerWithSwitch(confirmSeconds)
  await until(async () => {
    await one.known(one.id)
    const { reading } = (await one.ok('devices/info', { id: one.id })) as { reading: { path?: object } }
    return reading.path
  })
})
afterAll(() => one.end())

type Saved = { id: string; revision: number }
let desk: Saved
const save = async (more: object) => {
  desk = (await one.ok('settings/portProfile/save', { ...desk, name: 'Desk', ports: ['p3'], ...more })) as Saved
}
const carrier = async () => (await lab.in('c1', ['cat', '/sys/class/net/eth0/carrier'])).stdout.trim()
const reaches = async (address: string) => (await lab.in('c1', ['ping', '-c', '1', '-W', '1', address])).code === 0
const aliasOfP3 = async () => {
  const { stdout } = await lab.tool('snmpget', '-v2c', '-c', 'public', '-Oqv', '10.77.0.2', '1.3.6.1.2.1.31.1.1.1.18.4')
  return stdout.trim().replaceAll('"', '')
}
const applied = { state: 'applied', reason: '', detail: '' }

test('a port goes down, its client loses the link, and comes up again; the description is on the switch', async () => {
  await save({ enabled: false, description: 'Desk 7' })
  const preview = await one.ok('devices/push/preview', { deviceId: one.id })
  expect(preview).toMatchObject({ read: true, blocked: false, reverts: 'manager', warnings: [], cuts: [] })
  expect((preview.blocks as { id: string }[]).map(block => block.id)).toEqual([
    'snmp:p3.ifAdminStatus',
    'snmp:p3.ifAlias',
  ])
  expect(await one.pushed()).toMatchObject(applied)
  expect(await carrier()).toBe('0')
  expect(await aliasOfP3()).toBe('Desk 7')
  expect(await one.changes()).toMatchObject({ total: 0, devices: [] })
  await save({ enabled: true, description: 'Desk 8' })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await carrier()).toBe('1')
  expect(await aliasOfP3()).toBe('Desk 8')
})

test('a client changes its VLAN and is alone in it; trunks carry it; back in the first it reaches the gateway', async () => {
  await until(() => reaches('10.77.0.1'))
  await save({ nativeVlan: 20, allowedVlans: '30-31' })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reaches('10.77.0.1')).toBe(false)
  const port = 'ovs-vsctl get port p3 tag trunks'
  expect((await lab.sh('sw1', port)).stdout.split('\n')).toEqual(['20', '[20, 30, 31]', ''])
  await save({ nativeVlan: 1 })
  expect(await one.pushed()).toMatchObject(applied)
  await until(() => reaches('10.77.0.1'))
})

test('PoE is switched off and on', async () => {
  const power = async () =>
    (
      await lab.tool('snmpget', '-v2c', '-c', 'public', '-Oqv', '10.77.0.2', '1.3.6.1.2.1.105.1.1.1.3.1.3')
    ).stdout.trim()
  await save({ poe: 'off' })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await power()).toBe('2')
  await save({ poe: 'on' })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await power()).toBe('1')
})

test.each([
  ['goes down', { enabled: false }],
  ['changes its VLAN', { nativeVlan: 20 }],
])('the port that leads to the manager %s: refused, nothing is touched', async (_, more) => {
  await save({ ports: ['p8'], ...more })
  const preview = await one.ok('devices/push/preview', { deviceId: one.id })
  expect(preview.cuts).toEqual([expect.objectContaining({ code: 'interface', kind: 'portProfile' })])
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'cutsPath' })
  // Even when somebody agrees: nothing on the switch could undo it.
  expect(await one.pushed({ cut: [one.id] })).toMatchObject({ state: 'failed', reason: 'cutsPath' })
})

test('N17: all ports of the switch disabled is refused', async () => {
  await save({ ports: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'], enabled: false })
  const preview = await one.ok('devices/push/preview', { deviceId: one.id })
  expect(preview).toMatchObject({ blocked: true, warnings: [{ code: 'portsAllDisabled' }] })
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'planBlocked' })
  expect(await carrier()).toBe('1')
})

test('what nobody confirmed in time is put back by the manager, after it was away', async () => {
  await save({ enabled: false, nativeVlan: 40, description: 'Gone' })
  await one.restart({ window: shortSeconds })
  const jobId = await one.push()
  await until(async () => (await one.result(jobId)).state === 'confirming', { everyMs: 2 })
  const end = (one.latest()?.armedAt ?? 0) + shortSeconds * 1000
  await one.restart({ whileOff: () => until(() => Date.now() > end) })
  await until(() => one.latest()?.endedAt)
  expect(one.latest()).toMatchObject({ state: 'reverted', reason: 'tooLate' })
  expect(await carrier()).toBe('1')
  expect(await aliasOfP3()).toBe('Desk 8')
  await until(() => reaches('10.77.0.1'))
  expect((await lab.sh('sw1', 'cat /etc/lab/vlans')).stdout).not.toMatch(/^vlan 40 /m)
})

/** The switch takes so many writes more, and hears nothing of later ones: a SET stands 14 octets into its message. */
const writesLeft = async (count: number | undefined) => {
  await lab.sh('sw1', 'nft delete table inet slow 2>/dev/null')
  const rules = `table inet slow {
    chain input {
      type filter hook input priority 0;
      udp dport 161 @th,176,8 0xa3 limit rate 1/hour burst ${count} packets accept
      udp dport 161 @th,176,8 0xa3 drop
    }
  }`
  if (count !== undefined) expect(await lab.in('sw1', ['nft', '-f', '-'], { input: rules })).toMatchObject({ code: 0 })
}

test('killed (-9) in the middle of the writes, and of putting back: the next manager ends it, all is as before', async () => {
  await save({ enabled: false, nativeVlan: 41, description: 'Gone' })
  const data = await one.pause()
  await writesLeft(2)
  const pushing = runPush(data, confirmSeconds, [one.id])
  await until(async () => (await carrier()) === '0', { everyMs: 50 })
  pushing.kill()
  await pushing.ended
  await writesLeft(1)
  const undoing = runPush(data, confirmSeconds, [])
  await until(async () => (await carrier()) === '1', { everyMs: 50 })
  undoing.kill()
  await undoing.ended
  await writesLeft(undefined)
  const vlans = async () => (await lab.sh('sw1', 'cat /etc/lab/vlans')).stdout
  expect(await vlans()).toMatch(/^vlan 41 /m)
  await one.restart()
  await until(() => one.latest()?.endedAt)
  expect(one.latest()).toMatchObject({ state: 'reverted' })
  expect([await carrier(), await aliasOfP3()]).toEqual(['1', 'Desk 8'])
  expect(await vlans()).not.toMatch(/^vlan 41 /m)
  await until(() => reaches('10.77.0.1'))
})

test('what somebody changed on the switch itself is taken over into its profile', async () => {
  await save({ enabled: true, nativeVlan: 1, description: 'Desk 9' })
  expect(await one.pushed()).toMatchObject(applied)
  const alias = '1.3.6.1.2.1.31.1.1.1.18.4'
  await lab.tool('snmpset', '-v2c', '-c', 'private', '10.77.0.2', alias, 's', 'By hand')
  expect(await one.ok('devices/config/check', { deviceId: one.id })).toMatchObject({ drifted: 1 })
  await one.ok('devices/config/adopt', { deviceId: one.id })
  expect(await one.ok('settings/portProfile/get', { id: desk.id })).toMatchObject({ description: 'By hand' })
  await until(async () => (await one.changes()).total === 0)
  expect(await aliasOfP3()).toBe('By hand')
})

/** A push of one description by the driver alone; what was to be stored before it, and how it ended. */
async function describeP3(credential: Credential, text: string) {
  const { addresses } = await lab.up()
  const session = await snmpDriver.connect(
    { address: addresses.sw1, port: 161, credential },
    AbortSignal.timeout(60_000),
  )
  const stored: string[] = []
  const events = {
    pending: async () => {
      stored.push(await aliasOfP3())
    },
    step: () => undefined,
  }
  const next = { blocks: [{ id: 'snmp:p3.ifAlias', text }] }
  try {
    const before = await snmpDriver.read(session)
    const pending = await snmpDriver.push(session, before, next, confirmSeconds, events)
    const after = await aliasOfP3()
    await snmpDriver.revert(session, pending)
    return { stored, after, state: await snmpDriver.state(session, pending) }
  } finally {
    snmpDriver.close(session)
  }
}

test('version 3 writes and puts back; a login that may only read is refused, and nothing is touched', async () => {
  const { snmp, snmpV3 } = (await lab.up()).credentials
  const credential: Credential = {
    ...{ type: 'snmp3', user: snmpV3.user, level: 'authPriv' },
    ...{ authProtocol: 'sha', authKey: snmpV3.authPassword, privProtocol: 'aes', privKey: snmpV3.privPassword },
  }
  const was = await aliasOfP3()
  expect(await describeP3(credential, 'By v3')).toEqual({ stored: [was], after: 'By v3', state: 'reverted' })
  expect(await aliasOfP3()).toBe(was)
  const readOnly: Credential = { type: 'snmp2c', community: snmp.read }
  await expect(describeP3(readOnly, 'By nobody')).rejects.toMatchObject({ reason: 'credentials' })
  expect(await aliasOfP3()).toBe(was)
})

test('what the switch refuses is named, and it keeps the rest', async () => {
  // A switch whose PoE is fixed: it shows the variable and lets nobody write it.
  await lab.sh(
    'sw1',
    `sed -i '/^sub set_poe/a return "not-writable";' /usr/local/sbin/labmib; kill $(pgrep -f 'labmib poe')`,
  )
  const { revision } = await one.ok('settings/portProfile/get', { id: desk.id })
  desk = { id: desk.id, revision: Number(revision) }
  await save({ poe: 'off', description: 'Desk 9' })
  expect(await one.pushed()).toEqual(
    expect.objectContaining({
      ...{ state: 'partial', reason: 'rejected' },
      detail: 'snmp:p3.pethPsePortAdminEnable (commandFailed)',
    }),
  )
  expect(await aliasOfP3()).toBe('Desk 9')
  expect(await one.changes()).toMatchObject({ devices: [{ state: 'partial', modified: false }] })
})
