// What an answer tells the page that made the call: of what it is news.
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
beforeAll(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterAll(() => manager.stop())

const password = 'Quay-Side-77'
const changed = { oldPassword: owner.password, password, repeat: password }

test.each<[string, object, boolean, string | null]>([
  ['groups/add', { groupName: 'North', parentId: -1 }, true, 'devices'],
  ['groups/add', { groupName: '', parentId: -1 }, false, null],
  ['groups/list', {}, true, null],
  ['language/set', { lang: 'en' }, true, null],
  ['account/password', changed, true, 'sessions webhooks keys'],
])('%s %j', async (path, input, made, topics) => {
  const { retCode, headers } = await browser.post(path, input)
  expect(retCode === 0).toBe(made)
  expect(headers.get('x-lanward-topics')).toBe(topics)
})

test('a file that was sent', async () => {
  const sent = await browser.raw('feedback/attach?name=port.txt', { method: 'POST', body: 'eth0' })
  expect(await sent.json()).toMatchObject({ retCode: 0 })
  expect(sent.headers.get('x-lanward-topics')).toBe('feedback')
})
