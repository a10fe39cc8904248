import { accounts } from '@/db/schema'
import { codes } from '@/model/codes'
import { saveMailServer } from '../_mail-server'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'

// What one browser shows whatever its account says, where the manager is, and what an account says of itself.
let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const active = async (of = browser) => (await of.post('networks/active')).data.networkId

test('network, language and theme of a browser alone: the account and its other browsers keep theirs', async () => {
  const quay = network(manager, 'Quay')
  const account = async () => (await browser.post('account/info')).data
  const before = await account()
  expect((await browser.post('session/set', { networkId: quay, appearance: 2, lang: 'en' })).retCode).toBe(0)
  expect(await active()).toBe(quay)
  expect([browser.cookies.get('theme'), browser.cookies.get('locale')]).toEqual(['2', 'en'])
  expect((await browser.post('language/get')).data.current).toBe('en')
  const { networkId: _, ...after } = await account()
  expect(before).toMatchObject(after)
  expect((await browser.post('session/clear')).data).toEqual({ networkId: 1 })
  expect(await active()).toBe(1)
  expect(browser.cookies.get('theme')).toBe('0')
})

test('what is cleared goes back to what the account says', async () => {
  await browser.post('account/save', { appearance: 3, locale: 'en' })
  await browser.post('session/set', { appearance: 1 })
  expect(browser.cookies.get('theme')).toBe('1')
  await browser.post('session/clear')
  expect([browser.cookies.get('theme'), browser.cookies.get('locale')]).toEqual(['3', 'en'])
  manager.runtime.db.update(accounts).set({ locale: null }).run()
  await browser.post('session/clear')
  expect(browser.cookies.has('locale')).toBe(false)
})

test('nothing, a network of others, a language without words and a theme that is none are refused', async () => {
  const quay = network(manager, 'Quay')
  const ana = await person(manager, { role: 'networkAdministrator', networks: [1] })
  expect((await ana.post('session/set', {})).data.fields).toEqual({ networkId: 'required' })
  expect((await ana.post('session/set', { networkId: quay })).retCode).toBe(codes.networkNotFound)
  expect((await ana.post('session/set', { lang: 'xx' })).data.fields).toBeUndefined()
  expect((await ana.post('session/set', { appearance: 4 })).data.fields).toEqual({ appearance: 'tooLarge' })
  expect(await active(ana)).toBe(1)
})

test('the manager is where an administrator said it is, else where one came', async () => {
  const here = 'https://lanward.test'
  expect((await browser.post('domain')).data).toEqual({ domain: 'lanward.test', url: here, origin: here, set: false })
  saveMailServer(manager.runtime, {
    ...{ host: 'mail.example.test', port: 25, security: 'none', from: 'nms@example.test' },
    publicUrl: 'https://nms.example.test:8443',
  })
  expect((await browser.post('domain')).data).toEqual({
    ...{ domain: 'nms.example.test', url: 'https://nms.example.test:8443' },
    ...{ origin: here, set: true },
  })
})

describe('A15: an address has up to 255 characters', () => {
  const long = 'x'.repeat(255)
  test('one’s own', async () => {
    expect((await browser.post('account/save', { address: `${long}x` })).data.fields).toEqual({ address: 'tooLong' })
    expect((await browser.post('account/save', { address: long, type: 'systemIntegrator' })).retCode).toBe(0)
    expect((await browser.post('account/info')).data).toMatchObject({ address: long, type: 'systemIntegrator' })
    await browser.post('account/save', { address: '' })
    expect((await browser.post('account/info')).data).toMatchObject({ address: '', type: 'systemIntegrator' })
    expect((await browser.post('account/save', { type: 'king' })).data.fields).toEqual({ type: 'notAllowed' })
  })

  test('somebody’s, with what they are; who does not speak of it leaves it', async () => {
    const given = { account: 'ana1', role: 'networkReadOnly', networks: [1] }
    const add = (more: object) => browser.post('users/add', { ...given, ...more })
    expect((await add({ address: `${long}x` })).data.fields).toEqual({ address: 'tooLong' })
    const { id } = (await add({ address: long, type: 'personal' })).data
    const row = async () => {
      const { result } = (await browser.post('users/list', { search: 'ana1' })).data as { result: object[] }
      return result[0]
    }
    expect(await row()).toMatchObject({ address: long, type: 'personal' })
    const edit = (more: object) =>
      browser.post('users/edit', { id, username: 'Ana 1', role: 'networkReadOnly', networks: [1], ...more })
    expect((await edit({})).retCode).toBe(0)
    expect(await row()).toMatchObject({ address: long, type: 'personal', username: 'Ana 1' })
    expect((await edit({ address: 'Quay 1', type: '' })).retCode).toBe(0)
    expect(await row()).toMatchObject({ address: 'Quay 1', type: '' })
    const [entry] = (await browser.post('changelog/list', { pageSize: 10 })).data.result as { fields: object }[]
    expect(JSON.stringify(entry)).toContain('Quay 1')
    const file = await (await browser.raw('exports/users', { method: 'GET' })).text()
    expect(file).toContain('company,address,type,role')
  })

  test('an organization’s', async () => {
    const add = (address: string) => browser.post('companies/add', { name: 'Beta Ltd', account: 'betahead', address })
    expect((await add(`${long}x`)).data.fields).toEqual({ address: 'tooLong' })
    const { id } = (await add(long)).data
    const row = async () =>
      ((await browser.post('companies/list')).data.result as { id: number }[]).find(one => one.id === id)
    expect(await row()).toMatchObject({ address: long })
    await browser.post('companies/edit', { id, name: 'Beta' })
    expect(await row()).toMatchObject({ name: 'Beta', address: long })
    await browser.post('companies/edit', { id, name: 'Beta', address: '' })
    expect(await row()).toMatchObject({ address: '' })
  })
})
