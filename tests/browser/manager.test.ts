// The manager's own pages: its certificate, how the console looks and reads for an account, and what it says of itself.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { connect, type TLSSocket } from 'node:tls'
import type { Page } from 'playwright-core'
import { generate } from 'selfsigned'
import packageJson from '@/package.json'
import { until } from '../lab/_lab'
import { axe } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page
const work = mkdtempSync(`${tmpdir()}/lanward-own-`)

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(async () => {
  await one?.end()
  rmSync(work, { recursive: true, force: true })
})

/** A certificate of one's own as two files. */
async function made(name: string): Promise<{ certificate: string; key: string }> {
  const pair = await generate([{ name: 'commonName', value: name }], { keyType: 'ec' })
  const [certificate, key] = [`${work}/${name}.crt`, `${work}/${name}.key`]
  writeFileSync(certificate, pair.cert)
  writeFileSync(key, pair.private)
  return { certificate, key }
}
/** What a browser that comes now is shown. */
const shown = () =>
  new Promise<string>((done, failed) => {
    const socket: TLSSocket = connect({ port: one.manager.httpsPort, host: '127.0.0.1', rejectUnauthorized: false })
    socket.once('secureConnect', () => {
      done(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.once('error', failed)
  })
const dialog = () => page.getByRole('dialog')
const card = () => page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Certificate' }) })

test('an own certificate: a key of another one is refused at its field, the right one is used at once, and back again', async () => {
  const [wanted, other] = [await made('nms.quay.test'), await made('other.test')]
  const before = await shown()
  await page.goto('/organization/manager?tab=backups')
  await card().getByText('Lanward; renews automatically').waitFor()
  await card().getByRole('button', { name: 'Replace' }).click()
  await dialog().getByLabel('Certificate from a file').setInputFiles(wanted.certificate)
  await dialog().getByLabel('Private key', { exact: true }).fill(readFileSync(other.key, 'utf8'))
  await dialog().getByRole('button', { name: 'Replace' }).click()
  await dialog().getByRole('alert').first().waitFor()
  await one.looksWell('certificate-refused')
  expect(await shown()).toBe(before)
  await dialog().getByLabel('Private key from a file').setInputFiles(wanted.key)
  await dialog().getByRole('button', { name: 'Replace' }).click()
  await card().getByText('You; you renew it').waitFor()
  await until(async () => (await shown()) === 'nms.quay.test')
  await one.looksWell('certificate-own')
  await card().getByRole('button', { name: 'Use Lanward’s own' }).click()
  await dialog().getByRole('button', { name: 'Use Lanward’s own' }).click()
  await page.locator('.toast.ok', { hasText: 'Lanward’s own certificate' }).waitFor()
  await card().getByText('Lanward; renews automatically').waitFor()
  await until(async () => (await shown()) === before)
  one.browser.faults()
})

test('backups in a folder of choice; the page says when its disk is gone', async () => {
  const path = `${work}/disk`
  await page.goto('/organization/manager?tab=backups')
  await page.getByText('In the time zone Europe/Lisbon').waitFor()
  await page.getByLabel('Folder').fill('backups')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByRole('alert').filter({ hasText: 'A path must begin with /' }).waitFor()
  await page.getByLabel('Folder').fill(path)
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('Schedule saved').first().waitFor()
  rmSync(path, { recursive: true })
  mkdirSync(path)
  await page.reload()
  await page.getByText('Backup folder not found').first().waitFor()
  await one.looksWell('backups-gone')
  await page.getByLabel('Folder').fill('')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('Backup folder not found').first().waitFor({ state: 'detached' })
  expect(one.browser.faults()).toEqual([])
})

async function saved(): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save', exact: true }).click()])
  await page.getByRole('heading', { level: 1, name: 'Account settings' }).waitFor()
}

test('language, time zone, date and clock are kept, and the times of other pages follow', async () => {
  await page.goto('/account/settings')
  await page.getByLabel('Language').first().click()
  await page.getByRole('option', { name: 'English' }).click()
  await page.getByLabel('Time zone').click()
  await page.keyboard.type('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await page.getByLabel('Date format').click()
  await page.getByRole('option', { name: 'dd-MM-yyyy' }).click()
  await page.getByLabel('Clock').click()
  await page.getByRole('option', { name: '12 hours' }).click()
  await saved()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  await page.goto('/organization/manager?tab=backups')
  const { certificate } = (await one.client.must('manager/certificate/get')) as { certificate: { validTo: number } }
  const there = new Date(certificate.validTo + 9 * 3600_000).toISOString()
  const day = `${there.slice(8, 10)}-${there.slice(5, 7)}-${there.slice(0, 4)}`
  await card()
    .getByText(new RegExp(`${day}.*[ap]\\.?m`, 'i'))
    .waitFor()
  expect(one.browser.faults()).toEqual([])
})

test('every appearance is drawn from the first byte; the one that follows the system changes with it', async () => {
  const page2 = await one.browser.page()
  const dark = () => page2.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const seen = new Map<string, string>()
  for (const [name, theme] of [
    ['White', 'white'],
    ['Dark', 'dark'],
    ['Light', 'light'],
    ['Follow system', 'system'],
  ] as const) {
    await page.goto('/account/settings')
    await page.getByRole('radio', { name: new RegExp(`^${name}`) }).click()
    await saved()
    const reply = await page2.goto('/account/settings')
    expect(await reply?.text()).toContain(`data-theme="${theme}"`)
    await page2.getByRole('heading', { level: 1, name: 'Account settings' }).waitFor()
    expect(await axe(page2)).toEqual([])
    seen.set(theme, await dark())
  }
  expect(new Set(['white', 'dark', 'light'].map(theme => seen.get(theme))).size).toBe(3)
  await page2.emulateMedia({ colorScheme: 'dark' })
  expect(await dark()).toBe(seen.get('dark'))
  await page2.emulateMedia({ colorScheme: 'light' })
  expect(await dark()).toBe(seen.get('light'))
  await page2.close()
  expect(one.browser.faults()).toEqual([])
})

test('a folded sidebar stays folded in the pages that come', async () => {
  for (const [button, folded] of [
    ['Collapse the sidebar', 1],
    ['Expand the sidebar', 0],
  ] as const) {
    await page.goto('/account/about')
    const kept = page.waitForResponse(/\/app\/appearance\/set$/)
    await page.getByRole('button', { name: button, exact: true }).click()
    expect(await (await kept).json()).toMatchObject({ retCode: 0 })
    await page.goto('/account/settings')
    await page.getByRole('heading', { level: 1, name: 'Account settings' }).waitFor()
    expect(await page.locator('.shell.slim').count()).toBe(folded)
  }
  expect(one.browser.faults()).toEqual([])
})

test('About: version, licence, and what it is made with, each part with its licence’s text', async () => {
  await page.goto('/account/about')
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
  for (const text of [packageJson.version, 'Apache-2.0', 'Quay'])
    await page.getByText(text, { exact: true }).first().waitFor()
  await page.getByRole('button', { name: /^@babel\/runtime / }).waitFor()
  await one.looksWell('about')
  await page.getByLabel('Search by name or licence').fill(`next ${packageJson.dependencies.next}`)
  await page.getByRole('button', { name: /^@babel\/runtime / }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: `next ${packageJson.dependencies.next} MIT`, exact: true }).click()
  await page.getByText('Permission is hereby granted').waitFor()
  await one.looksWell('about-licence')
  expect(one.browser.faults()).toEqual([])
})

/** What only the page's scripts bring: keys and buttons do something from now on. */
const live = () => page.locator('.foot .status.ok').waitFor()

test('first steps: ticked off on the dashboard until they are put away; the tour goes round', async () => {
  const guide = () => one.client.must('guide/get') as Promise<{ step: number; steps: { done: boolean }[] }>
  const { steps } = await guide()
  const done = steps.filter(step => step.done).length
  await page.goto('/network/1/dashboard')
  await page.getByText(`${done} of ${steps.length} done`, { exact: true }).waitFor()
  await live()
  await one.looksWell('first-steps')
  await page.getByRole('button', { name: 'Show me around' }).click()
  const stop = page.getByRole('dialog')
  for (const [title, next] of [
    ['Your account', 'Next'],
    ['Users and companies', 'Done'],
  ] as const) {
    await stop.getByRole('heading', { name: title }).waitFor()
    await stop.getByRole('button', { name: next, exact: true }).click()
  }
  await stop.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
  await page.goto('/account/guide')
  await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  await one.looksWell('guide')
  await page.getByRole('button', { name: 'Show on the dashboard again' }).click()
  await until(async () => (await guide()).step === 3)
  expect(one.browser.faults()).toEqual([])
})

test('help opens by its key, says how this manager does, and gives the support file', async () => {
  await page.goto('/about')
  await page.waitForURL('**/account/about')
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
  await live()
  await page.keyboard.press('?')
  await page.waitForURL('**/account/help')
  await page.getByRole('heading', { level: 1, name: 'Help', exact: true }).waitFor()
  await page.getByText('As on this computer', { exact: true }).waitFor()
  await page.getByText('A push was reverted', { exact: true }).click()
  await page.getByText('It reverted on its own', { exact: false }).waitFor()
  await one.looksWell('help')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download support file' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^lanward-support-[\d-]+\.json$/)
  expect(one.browser.faults()).toEqual([])
})

test('feedback: a wrong file is refused at its field, a picture goes along; kept here, read and deleted', async () => {
  await page.goto('/account/feedback')
  await page.getByRole('heading', { level: 1, name: 'Feedback' }).waitFor()
  await page.getByText('Stored on this manager', { exact: false }).waitFor()
  await live()
  const choose = page.getByLabel('Choose file')
  await choose.setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText('The content of this file does not match its name.').waitFor()
  const png = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n\x1a\npicture')])
  await choose.setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: png })
  await page.getByRole('button', { name: 'Remove lamp.png' }).waitFor()
  await page.getByLabel('Your message').fill('The lamp is out.')
  await one.looksWell('feedback')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Stored on this manager.', { exact: true }).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'The lamp is out.' })
  await row.getByText('lamp.png').waitFor()
  await one.looksWell('feedback-kept')
  const actions = row.getByRole('button', { name: /^Actions for feedback/ })
  await actions.click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).click(),
  ])
  expect(readFileSync(await file.path(), 'utf8')).toContain('The lamp is out.')
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  // A dialog keeps the focus until it is gone.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const address = page.getByLabel('Address', { exact: true })
  await address.fill('no address')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.field-error').first().waitFor()
  await address.fill('desk@lab.test')
  await page.keyboard.press('Enter')
  await page.getByText('Feedback address saved').first().waitFor()
  expect(await one.client.must('settings/feedbackAddress/get')).toMatchObject({ values: { address: 'desk@lab.test' } })
  expect(one.browser.faults()).toEqual([])
})
