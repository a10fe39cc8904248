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
