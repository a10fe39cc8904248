import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

// A device that goes away and comes back: restarted from its page, and installed anew.

let here: Console
let ap: number

beforeAll(async () => {
  here = await openConsole()
  const { user, password } = here.site.credentials.ssh
  ap = await here.adopt({ address: here.site.addresses.ap1, login: { type: 'ssh', user, password } })
})
afterAll(async () => {
  await here?.close()
  await lab.reset('ap1')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const dialog = () => here.page.getByRole('dialog')
const note = (text: string) => here.page.locator('.note', { hasText: text })
const open = () => here.openDevice('ap1')

test('reboot: the page shows it go and come back, and the events tell it', async () => {
  const { press, answer } = here
  await open()
  await press('Reboot')
  await dialog().getByText('Clients behind this device lose their connection', { exact: false }).waitFor()
  await here.looksWell('device-reboot')
  await answer('Reboot device')
  await note('Rebooting').waitFor()
  await note('The device is back').waitFor({ timeout: 180_000 })
  await here.looksWell('device-back')
  await here.page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: 'Events' }).click()
  await here.row('Reboot requested by marta7').waitFor()
  await here.row('The device restarted').waitFor()
  await here.looksWell('device-events')
})

test('installed anew: the other host key stops everything until a person accepts it', async () => {
  const { page, press, answer, choose, client } = here
  await open()
  // Open sessions end as well: what comes next has to look at the key.
  const renewed = `rm -f /etc/ssh/ssh_host_* && ssh-keygen -A >/dev/null &&
    systemctl kill --kill-whom=all ssh && systemctl restart ssh`
  expect((await lab.sh('ap1', renewed)).code).toBe(0)
  await until(
    async () => {
      await client.try('devices/sync', { networkId: 1, id: ap }).catch(() => undefined)
      return (await note('The host key has changed').count()) > 0
    },
    { everyMs: 1000 },
  )
  await here.looksWell('device-other-key')
  await choose('More actions', 'Address and credentials')
  await press('Read its current host key')
  await dialog().getByText('The device shows another key', { exact: false }).waitFor()
  await dialog().getByLabel('Accept this key').check()
  await here.looksWell('device-access')
  await answer('Save')
  await note('The host key has changed').waitFor({ state: 'detached' })
  await page.getByText('Online').first().waitFor()
})
