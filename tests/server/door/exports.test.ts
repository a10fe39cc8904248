// Files of what can be read: the right to export is a right of its own.
import { codes } from '@/model/codes'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person, role } from '../_people'

let manager: Manager
let owner: Browser
beforeEach(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  owner = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const file = (browser: Browser, path: string) => browser.raw(path, { method: 'GET' })

test.each([
  ['exports/devices?networkId=1', 'devices'],
  ['exports/online-status?networkId=1', 'devices'],
  ['exports/clients?networkId=1', 'clients'],
  ['exports/ppsk?networkId=1', 'settings_profiles'],
  ['exports/log', 'organization_changelog'],
  ['exports/users', 'organization_users'],
])('%s needs the right to export beside %s', async (path, reads) => {
  const asked = async (...rights: string[]) => {
    const browser = await person(manager, { role: role(manager, rights.join(), rights), networks: [1] })
    const answer = await file(browser, path)
    if (answer.headers.get('content-disposition')) return 'a file'
    return ((await answer.json()) as { retCode: number }).retCode
  }
  expect(await asked(reads, 'exports')).toBe('a file')
  expect(await asked(reads)).toBe(codes.noAuthority)
  expect(await asked('exports', 'dashboard')).toBe(codes.noAuthority)
})

test('private keys are given out without the keys', async () => {
  await owner.post('settings/ppsk/save', { name: '=Ana', key: 'a-very-secret-key', vlan: 30, mac: '02:00:00:00:00:09' })
  const text = await (await file(owner, 'exports/ppsk')).text()
  expect(text).toContain('name,on,ssid,vlan,mac')
  expect(text).toContain(`"'=Ana",yes,all,30,02:00:00:00:00:09`)
  expect(text).not.toContain('secret')
})
