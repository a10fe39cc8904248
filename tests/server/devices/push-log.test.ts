// What the changelog has of a push: that it began, and how it ended, in the call, the export and the chain.
import { appendLog } from '@/server/kernel/changelog'
import { verifyLog } from '@/server/manager/changelog/verify'
import { type Scene, scene } from '../_change'

let one: Scene
beforeEach(async () => {
  one = await scene()
})
afterEach(() => one.end())

type Entry = { action: string; object: string; name: string; account: string; fields: Record<string, unknown> }
/** Entries about devices, oldest first. */
const entries = async () => {
  const { result } = (await one.ok('changelog/list', { filter: { object: 'device' } })) as { result: Entry[] }
  return result.map(({ action, name, account, fields }) => ({ action, name, account, fields })).reverse()
}
const chain = async () => (await verifyLog(one.manager.runtime.sqlite, one.manager.runtime.secrets)).problems

test('applied, reverted and failed read differently, with the reason in words', async () => {
  const device = one.add('gw', 'gateway')
  const about = { name: 'gw', account: 'marta7' }
  await one.saveSsid('Café')
  one.at(device).givesUp = true
  await one.push([device])
  one.at(device).givesUp = false
  one.at(device).refusesPush = true
  await one.push([device])
  one.at(device).refusesPush = false
  await one.push([device])
  await one.push([device])
  const told = await entries()
  expect(told).toEqual([
    { ...about, action: 'startPush', fields: {} },
    { ...about, action: 'pushReverted', fields: { reason: [null, expect.stringMatching(/ .*\.$/)] } },
    { ...about, action: 'startPush', fields: {} },
    { ...about, action: 'pushFailed', fields: { reason: [null, expect.stringMatching(/ .*\.$/)] } },
    { ...about, action: 'startPush', fields: {} },
    { ...about, action: 'push', fields: {} },
    { ...about, action: 'startPush', fields: {} },
    { ...about, action: 'push', fields: { reason: [null, 'No change: the device already had it.'] } },
  ])
  const csv = await (await one.browser.raw('exports/log?object=device', { method: 'GET' })).text()
  expect(csv).toContain(',pushReverted,device,gw,reason: (none) → ')
  expect(await chain()).toEqual([])
})

test('what was not tried says so; a restore tells its own result', async () => {
  const [first, second] = [one.add('ap1'), one.add('ap2')]
  await one.saveSsid('Café')
  one.at(first).givesUp = true
  one.at(second).givesUp = true
  await one.push([first, second])
  expect((await entries()).map(({ action, fields }) => [action, fields.reason])).toEqual([
    ['startPush', undefined],
    ['startPush', undefined],
    ['pushReverted', expect.anything()],
    ['pushFailed', [null, 'Not tried because an earlier device reverted.']],
  ])
  one.at(first).givesUp = false
  const { devices } = await one.push([first])
  await one.saveSsid('Quay')
  await one.push([first])
  const { jobId } = await one.ok('devices/config/restore', { deploymentId: devices[0]?.deploymentId })
  await one.ended(String(jobId))
  expect((await entries()).slice(-2).map(({ action }) => action)).toEqual(['startRestore', 'restore'])
})

test('entries of before stay as they were written, and the chain holds across them', async () => {
  const { db, secrets } = one.manager.runtime
  const former = { organization: 1, network: 1, at: 5, account: 'marta7', address: '', name: 'gw', fields: {} }
  appendLog(db, secrets, { ...former, action: 'push', object: 'device' })
  appendLog(db, secrets, { ...former, action: 'edit', object: 'account', fields: { appearance: [0, 2] } })
  const device = one.add('gw', 'gateway')
  await one.saveSsid('Café')
  await one.push([device])
  expect((await entries()).map(({ action }) => action)).toEqual(['push', 'startPush', 'push'])
  const { result } = (await one.ok('changelog/list', { filter: { object: 'account', action: 'edit' } })) as {
    result: Entry[]
  }
  expect(result[0]?.fields).toEqual({ appearance: [0, 2] })
  expect(await chain()).toEqual([])
})
