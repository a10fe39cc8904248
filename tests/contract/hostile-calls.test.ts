import { verifyLog } from '@/server/manager/changelog/verify'
import { times } from '../_sample'
import { finishedWizard, type Manager } from '../server/_manager'
import { fuzzCalls, leftBehind } from '../soak/hostile-calls'
import { randomOf } from '../soak/random'
import { startWholeManager } from './_whole'

let manager: Manager
const said: string[] = []
beforeAll(async () => {
  jest.spyOn(console, 'error').mockImplementation((...words) => {
    said.push(words.map(word => (word instanceof Error ? word.stack : String(word))).join(' '))
  })
  manager = await startWholeManager()
  await finishedWizard(manager)
})
afterAll(() => manager.stop())

const count = Number(process.env.LANWARD_FUZZ ?? times(2000, 500))

// `npm run soak -- --calls 100000` sends more.
test('whatever is sent to whatever call by whomever: refused or done, never an internal error, nothing half done', async () => {
  // So many get past the door.
  const enough = count / 20
  const random = randomOf(Number(process.env.LANWARD_FUZZ_SEED ?? 5))
  const { findings, taken } = await fuzzCalls(manager, { count, enough }, random)
  expect([findings, findings.length ? said.slice(-20) : []]).toEqual([[], []])
  expect(taken).toBeGreaterThan(enough)
  expect(leftBehind(manager)).toEqual([])
  expect((await verifyLog(manager.runtime.sqlite, manager.runtime.secrets)).problems).toEqual([])
}, 300_000)
