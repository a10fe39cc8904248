// A machine is gone, another one takes its place: the setup's other way, from the file to the sign-in.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { guideSteps } from '@/model/guide'
import { type Manager, removeFolder, startManager } from '../appliance/_manager'
import { clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { owner } from '../soak/owner'
import { type Browser, launch, looksWell } from './_browser'

let fresh: Manager
let browser: Browser
let work = ''

/** Files as a person would have them on a stick: one with a passphrase, one without. */
async function backUp(): Promise<void> {
  const former = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  const client = clientOf(former.http)
  await prepareWizard(client, 'Old quay')
  await client.must('wizard/finish')
  await client.must('guide/step', { step: guideSteps.seen })
  for (const [file, input] of [
    ['portable.tar.gz', { passphrase: 'correct horse battery' }],
    ['bound.tar.gz', {}],
  ] as const) {
    const { name } = await client.must('backups/create', input)
    writeFileSync(`${work}/${file}`, readFileSync(`${former.data}/backups/${name}`))
  }
  await former.stop()
  removeFolder(former.data)
}

beforeAll(async () => {
  work = mkdtempSync(`${tmpdir()}/lanward-stick-`)
  await backUp()
  fresh = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  browser = await launch(fresh.https)
})
afterAll(async () => {
  await browser?.close()
  await fresh?.stop()
  for (const folder of [fresh?.data, work]) if (folder) removeFolder(folder)
})

test('restores in place of the setup, and the people of the backup sign in', async () => {
  const page = await browser.page()
  await page.goto('/wizard')
  await page.getByRole('button', { name: 'Restore from a backup' }).click()
  await page.getByRole('heading', { level: 1, name: 'Restore from a backup' }).waitFor()
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles(`${work}/bound.tar.gz`)
  await page.getByText('This backup was made without a passphrase.').waitFor()
  const restore = page.getByRole('button', { name: 'Restore and restart' })
  expect(await restore.isDisabled()).toBe(true)
  await looksWell(page, 'wizard-restore-bound')
  await choose.setInputFiles(`${work}/portable.tar.gz`)
  await page.getByText('Backup of Old quay,').waitFor()
  const phrase = page.getByLabel('Passphrase of the backup')
  await phrase.fill('another phrase')
  await restore.click()
  await page.getByRole('alert').first().waitFor()
  await looksWell(page, 'wizard-restore')
  await phrase.fill('correct horse battery')
  await restore.click()
  expect(await fresh.ended).toBe(75)
  const ports = { LANWARD_HTTP_PORT: new URL(fresh.http).port, LANWARD_HTTPS_PORT: String(fresh.httpsPort) }
  fresh = await startManager({ data: fresh.data, env: { LANWARD_SETUP_CODE: 'off', ...ports } })
  await page.waitForURL('**/login')
  await page.getByLabel('Account', { exact: true }).fill(owner.account)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/network/1/dashboard')
})
