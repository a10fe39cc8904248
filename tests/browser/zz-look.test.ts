import { mkdirSync } from 'node:fs'
import { type Console, openConsole } from './_setup'

let one: Console
beforeAll(async () => {
  one = await openConsole('Quay')
}, 300_000)
afterAll(() => one?.end())
const out = process.env.LOOK_OUT as string
const pages: [string, string][] = [
  ['manager', '/organization/manager'],
  ['general', '/organization/manager?tab=general'],
  ['backups', '/organization/manager?tab=backups'],
  ['mail', '/organization/manager?tab=mail'],
  ['security', '/organization/manager?tab=security'],
  ['notice', '/network/1/alerts/notice/form'],
  ['saml', '/organization/users/saml/form'],
  ['ldap', '/organization/users/ldap/form'],
  ['changelog', '/organization/changelog'],
]
test('pictures', async () => {
  mkdirSync(out, { recursive: true })
  for (const [name, path] of pages)
    for (const [w, width] of [['wide', 1280], ['phone', 390]] as const) {
      await one.page.setViewportSize({ width, height: 900 })
      await one.page.goto(path)
      await one.page.waitForLoadState('networkidle')
      await one.page.waitForFunction(() => !document.querySelector('.skel'))
      if (name === 'changelog') { await one.page.getByRole('button', { name: 'Log server' }).click(); await one.page.waitForTimeout(500) }
      for (const theme of ['light', 'dark']) {
        await one.page.evaluate(t => { document.documentElement.dataset.theme = t }, theme)
        await one.page.waitForTimeout(150)
        await one.page.screenshot({ path: `${out}/${name}-${w}-${theme}.png`, fullPage: true, animations: 'disabled' })
      }
    }
}, 600_000)
