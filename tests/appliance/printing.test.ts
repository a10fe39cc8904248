// Vouchers on paper, by the thread and the fonts of the build.
import { until } from '../lab/_lab'
import { clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { type Manager, removeFolder, startManager } from './_manager'

let manager: Manager

beforeAll(async () => {
  manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
})
afterAll(async () => {
  await manager.stop()
  removeFolder(manager.data)
})

test('vouchers are printed into a PDF', async () => {
  const client = clientOf(manager.http)
  await prepareWizard(client, 'Quay')
  await client.must('wizard/finish')
  const lasting = { days: 1, hours: 0, minutes: 0, validityDays: 30 }
  const { id } = await client.must('vouchers/groups/save', { networkId: 1, name: 'Café', quantity: 2, ...lasting })
  const { jobId } = await client.must('vouchers/groups/print', { networkId: 1, groupId: id, format: 'a4' })
  const ended = await until(async () => {
    const told = await client.must('vouchers/groups/print/result', { networkId: 1, jobId })
    return told.state !== 'running' && told
  })
  expect(ended).toMatchObject({ state: 'done', done: 2, total: 2, missing: [] })
})
