import { type Client, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { type LabManager, type LabStatus, lab, manager, until } from './_lab'

// What a person can make a device do from its page, on the access point, seen on the device itself.

let site: LabStatus
let started: LabManager
let client: Client
let id: number

beforeAll(async () => {
  site = await lab.up()
  await lab.reset('ap1')
  started = await manager({ env: { LANWARD_SETUP_CODE: 'off' } })
  client = clientOf(started.local)
  await prepareWizard(client)
  await client.must('wizard/finish')
  const { hostKey } = await client.must('devices/fingerprint', { address: site.addresses.ap1 })
  const { user, password } = site.credentials.ssh
  const device = { address: site.addresses.ap1, hostKey, credential: { type: 'ssh', user, password } }
  const { jobId } = await client.must('devices/adopt', { devices: [device] })
  const items = await until(async () => {
    const { items: now } = (await client.must('devices/adopt/result', { jobId })) as {
      items: { state: string; deviceId: number }[]
    }
    return now[0]?.state === 'adopted' && now
  })
  id = items[0]?.deviceId ?? 0
})
afterAll(async () => {
  await started?.end()
  await lab.reset('ap1')
})

const logsIn = async (password: string) => {
  const options = [
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'PubkeyAuthentication=no',
  ]
  const ran = await lab.tool('sshpass', '-p', password, 'ssh', ...options, `root@${site.addresses.ap1}`, 'true')
  return ran.code === 0
}

test('set password: the device takes the new one and refuses the old, and the manager goes on with the new', async () => {
  expect(await logsIn(site.credentials.ssh.password)).toBe(true)
  await client.must('devices/set-login', { id, password: 'new\'Pass "w0rd' })
  expect(await logsIn('new\'Pass "w0rd')).toBe(true)
  expect(await logsIn(site.credentials.ssh.password)).toBe(false)
  await client.must('devices/sync', { id })
})

test('a password below eight characters is refused at its field and nothing changes on the device', async () => {
  await expect(client.must('devices/set-login', { id, password: 'short' })).rejects.toThrow('"password":"tooShort"')
  expect(await logsIn('new\'Pass "w0rd')).toBe(true)
})

test('reboot: the device really starts anew, and answers the manager again', async () => {
  const bootId = async () => (await lab.sh('ap1', 'stat -c %Y /proc/1 && cat /proc/1/stat | cut -d" " -f22')).stdout
  const before = await bootId()
  const { results } = (await client.must('devices/reboot', { ids: [id] })) as { results: { ok: boolean }[] }
  expect(results).toMatchObject([{ ok: true }])
  await until(
    async () => {
      const now = await bootId()
      return now !== '' && now !== before
    },
    { everyMs: 500 },
  )
  await until(() => client.must('devices/sync', { id }).then(() => true), { everyMs: 1000 })
})

describe('A10: the password of a group', () => {
  type Item = { name: string; state: string; reason: string }
  const finished = (jobId: unknown) =>
    until(async () => {
      const now = (await client.must('groups/password/result', { jobId })) as { state: string; items: Item[] }
      return now.state !== 'running' && now.items
    })
  const opens = async (device: 'gw' | 'sw2', password: string) => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'PubkeyAuthentication=no']
    const words = options.flatMap(option => ['-o', option])
    const ran = await lab.tool('sshpass', '-p', password, 'ssh', ...words, `root@${site.addresses[device]}`, 'true')
    return ran.code === 0
  }
  beforeAll(() => lab.reset('sw2'))
  afterAll(async () => {
    await lab.reset('gw')
    await lab.off('sw2')
  })

  test('it is set on each device that has one, with those of the groups below; what each said is told', async () => {
    const { user, password } = site.credentials.ssh
    const { groupId } = await client.must('groups/add', { groupName: 'Core' })
    const below = await client.must('groups/add', { groupName: 'Rack', parentId: groupId })
    const keyOf = async (address: string) => (await client.must('devices/fingerprint', { address })).hostKey
    const targets = await Promise.all(
      [site.addresses.gw, site.addresses.sw2].map(async address => ({ address, hostKey: await keyOf(address) })),
    )
    const credential = { type: 'ssh', user, password }
    const adopted = async (body: object) => {
      const { jobId } = await client.must('devices/adopt', body)
      return until(async () => {
        const { items } = (await client.must('devices/adopt/result', { jobId })) as {
          items: { state: string; deviceId: number; failure?: unknown }[]
        }
        if (items.some(one => one.state === 'failed')) throw new Error(JSON.stringify(items))
        return items.every(one => one.state === 'adopted') && items.map(one => one.deviceId)
      })
    }
    const [first, second] = await adopted({ devices: targets, credential, groupId })
    const snmp = { type: 'snmp2c', community: site.credentials.snmp.read }
    await adopted({ devices: [{ address: site.addresses.sw1 }], credential: snmp, groupId })
    await client.must('groups/transfer', { deviceIds: [second], groupId: below.groupId })
    await until(async () => {
      const { result } = (await client.must('devices/list', {})) as { result: { id: number; status: number }[] }
      return result.filter(one => one.id === first || one.id === second).every(one => one.status === 1)
    })
    const { jobId, devices } = await client.must('groups/password', { groupId, password: 'Gr0up-pass' })
    expect(devices).toBe(3)
    const items = await finished(jobId)
    expect(items.map(({ state, reason }) => [state, reason]).sort()).toEqual([
      ['failed', 'unsupported'],
      ['set', ''],
      ['set', ''],
    ])
    for (const device of ['gw', 'sw2'] as const) {
      expect(await opens(device, 'Gr0up-pass')).toBe(true)
      expect(await opens(device, password)).toBe(false)
    }
    // The login that both shared has the new password, under its name; no second one is left.
    const { result } = (await client.must('credentials/list', {})) as { result: { devices: { id: number }[] }[] }
    const shared = result.filter(one => one.devices.some(device => device.id === first))
    expect(shared.map(one => one.devices.map(device => device.id).sort())).toEqual([[first, second].sort()])
    for (const one of [first, second]) await client.must('devices/sync', { id: one })
  })
})
