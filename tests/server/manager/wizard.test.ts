import { readdirSync, readFileSync } from 'node:fs'
import { codes } from '@/model/codes'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'

let manager: Manager
afterEach(() => manager.stop())
const start = async (setupCode = 'ABCD-2345') => {
  manager = await startTestManager({ setupCode })
}
const general = { step: 'general', name: 'Harbour House', country: 'PT', timezone: 'Europe/Lisbon', language: 'en' }
const account = { step: 'account', account: owner.account, password: owner.password, repeat: owner.password }

test('asks for the setup code, except from the machine itself, and is bound to the browser that gave it', async () => {
  await start()
  const there = manager.browser()
  expect((await there.post('init-info')).data).toMatchObject({ setup_wizard: '0', localDeploy: 1 })
  expect((await there.post('wizard/initial-info')).data).toMatchObject({ needsCode: true, entered: false, draft: null })
  expect((await there.post('wizard/general', general)).retCode).toBe(codes.setupCodeWrong)
  const refused = await there.post('wizard/unlock', { code: 'ABCD-2346' })
  expect([refused.retCode, refused.data.fields]).toEqual([codes.setupCodeWrong, { code: 'setupCodeWrong' }])
  expect((await there.post('wizard/unlock', { code: 'abcd2345' })).retCode).toBe(0)
  expect((await there.post('wizard/general', general)).retCode).toBe(0)
  expect((await manager.browser('10.0.0.6').post('wizard/general', general)).retCode).toBe(codes.setupCodeWrong)
  const here = manager.browser('127.0.0.1')
  expect((await here.post('wizard/initial-info')).data).toMatchObject({ needsCode: false })
})

test('ten wrong codes from one address and the eleventh, even right, has to wait', async () => {
  await start()
  const browser = manager.browser()
  for (let i = 0; i < 10; i++) await browser.post('wizard/unlock', { code: `WRONG${i}` })
  expect((await browser.post('wizard/unlock', { code: 'ABCD-2345' })).retCode).toBe(codes.rateLimited)
  expect((await manager.browser('10.0.0.9').post('wizard/unlock', { code: 'ABCD-2345' })).retCode).toBe(0)
})

test('the draft resumes, never shows the password, and lies encrypted on disk', async () => {
  await start('off')
  const browser = manager.browser()
  await browser.post('wizard/unlock')
  await browser.post('wizard/general', general)
  await browser.post('wizard/account', account)
  const { data } = await browser.post('wizard/initial-info')
  expect(data.draft).toMatchObject({ general: { name: 'Harbour House' }, account: { account: owner.account } })
  expect(JSON.stringify(data)).not.toMatch(/argon2|Tr0ub/)
  const all = readdirSync(manager.runtime.generation, { recursive: true, withFileTypes: true })
  const files = all.filter(one => one.isFile()).map(one => readFileSync(`${one.parentPath}/${one.name}`, 'latin1'))
  expect(files.join('')).not.toMatch(/argon2id|Lisbon/)
})

test('over plain http from elsewhere the password is refused', async () => {
  await start('off')
  const browser = manager.browser()
  const plain = { 'x-forwarded-proto': 'http' }
  await browser.post('wizard/unlock', {}, plain)
  expect((await browser.post('wizard/account', account, plain)).retCode).toBe(codes.secureOnly)
})

test('A6, A7: the first account has letters and digits, of each at least one', async () => {
  await start('off')
  const browser = manager.browser()
  await browser.post('wizard/unlock')
  const tried = async (name: string) => {
    const { retCode, data } = await browser.post('wizard/account', { ...account, account: name })
    return retCode === 0 ? 0 : data.fields
  }
  expect(await tried('marta')).toEqual({ account: 'userNameKind' })
  expect(await tried('123')).toEqual({ account: 'userNameKind' })
  expect(await tried('marta.1')).toEqual({ account: 'alphanumeric' })
  expect(await tried('a'.repeat(65))).toEqual({ account: 'tooLong' })
  expect(await tried('Marta1')).toBe(0)
})

test('A8: an address comes without what nobody sees in it; one that is none has the number of its own', async () => {
  await start('off')
  const browser = manager.browser()
  await browser.post('wizard/unlock')
  const saved = await browser.post('wizard/account', { ...account, email: ' marta@\u200bexample.test\u00ad' })
  expect(saved.data.account).toMatchObject({ email: 'marta@example.test' })
  const wrong = await browser.post('wizard/account', { ...account, email: 'marta@' })
  expect([wrong.retCode, wrong.data.fields]).toEqual([codes.emailFormat, { email: 'emailFormat' }])
})

test('A9: both entries, classes and runs, at their fields and all at once, as 10016', async () => {
  await start('off')
  const browser = manager.browser()
  await browser.post('wizard/unlock')
  const fields = async (password: string, repeat = password) =>
    (await browser.post('wizard/account', { ...account, password, repeat })).data.fields
  expect(await fields('Sh0rt!a')).toEqual({ password: 'passwordShort' })
  expect(await fields('Tr0ub4dor&3x', 'Tr0ub4dor&3y')).toEqual({ repeat: 'passwordsDiffer' })
  expect(await fields('Summer2024')).toEqual({ password: 'passwordSymbol' })
  const all = await browser.post('wizard/account', { ...account, password: 'abc', repeat: 'abd' })
  expect(all).toMatchObject({
    retCode: codes.passwordFormat,
    data: {
      fields: { password: 'passwordShort', repeat: 'passwordsDiffer' },
      more: { password: ['passwordDigit', 'passwordSymbol', 'passwordConsecutive'] },
      values: { password: { min: 8, max: 16 } },
    },
  })
})

test('finish makes everything in one step and closes the wizard for good', async () => {
  await start('off')
  const browser = manager.browser()
  await browser.post('wizard/unlock')
  await browser.post('wizard/general', general)
  expect((await browser.post('wizard/finish')).data).toEqual({ step: 'account' })
  await finishedWizard(manager, browser)
  expect((await browser.post('account/info')).data).toMatchObject({
    account: owner.account,
    role: 'superAdministrator',
  })
  expect((await browser.post('networks/list')).data.result).toMatchObject([
    { networkName: 'Harbour House', isDefault: true, country: 'PT' },
  ])
  expect((await browser.post('init-info')).data).toMatchObject({ setup_wizard: '1', name: 'Harbour House' })
  for (const call of ['wizard/finish', 'wizard/unlock'])
    expect((await browser.post(call)).retCode).toBe(codes.wizardClosed)
})

test('the SSID step is judged by the kind, keeps its key to itself, and becomes a document at the end', async () => {
  await start('off')
  const browser = manager.browser()
  await browser.post('wizard/unlock')
  const refused = await browser.post('wizard/ssid', { name: '', security: 'wpa2', key: 'tiny' })
  expect(refused.data.fields).toEqual({ name: 'required', key: 'wpaKey' })
  const taken = await browser.post('wizard/ssid', { name: 'Harbour', security: 'wpa2', key: 'correct-horse' })
  expect(taken.data.ssid).toMatchObject({ name: 'Harbour', key: { set: true } })
  const again = await browser.post('wizard/ssid', { name: 'Harbour 2', security: 'wpa2', key: { set: true } })
  expect(again.data.ssid).toMatchObject({ name: 'Harbour 2', key: { set: true } })
  await finishedWizard(manager, browser)
  const { data } = await browser.post('settings/ssid/list')
  expect(data.result).toMatchObject([
    { name: 'Harbour 2', security: 'wpa2', key: { set: true }, assign: { all: true } },
  ])
})
