import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

// The page of one device: a switch's front and readings, an access point that lets anyone in until it is given a login,
// finding it by its light, restarting it, and reaching it again after it was installed anew.

let here: Console
let ap: number
const password = 'Harbour-Pass-1'
const key = '/root/.ssh/house'

/** Anyone is let in as root, as on a device out of its box. */
const openDoor = `passwd -d root >/dev/null
  printf 'PermitEmptyPasswords yes\\n' >/etc/ssh/sshd_config.d/open.conf
  systemctl restart ssh && rm -rf ${key}* && mkdir -p /root/.ssh && ssh-keygen -q -t ed25519 -N '' -f ${key}`

beforeAll(async () => {
  here = await openConsole()
  await lab.reset('ap1')
  expect((await lab.sh('ap1', openDoor)).code).toBe(0)
  const { sw1, ap1 } = here.site.addresses
  const [, adopted] = await Promise.all([
    here.adopt({ address: sw1, login: { type: 'snmp2c', community: here.site.credentials.snmp.read } }),
    here.adopt({ address: ap1, login: { type: 'ssh', user: 'root' } }),
  ])
  ap = adopted
}, 240_000)
afterAll(async () => {
  await lab.join('c1')
  await here?.close()
  await lab.reset('ap1')
}, 120_000)
afterEach(() => expect(here.browser.faults()).toEqual([]))

const dialog = () => here.page.getByRole('dialog')
const tab = (name: string) => here.page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name }).click()
const open = async (name: string) => {
  await here.page.goto('/network/1/devices')
  await here.page.getByRole('link', { name, exact: true }).click()
  await here.heading(name)
}
const note = (text: string) => here.page.locator('.note', { hasText: text })

test('a community that is wrong and a device that is silent look alike: both are said', async () => {
  const { page, site, press } = here
  await page.goto('/network/1/devices/form?tab=address')
  await page.getByLabel('Address', { exact: true }).fill(site.addresses.gw)
  await page.getByLabel('Login', { exact: true }).click()
  await page.getByRole('option', { name: 'A new login' }).click()
  await press('SNMP v2c')
  await page.getByLabel('Community', { exact: true }).fill('not-the-community')
  await press('Adopt 1 device')
  const told = page.getByText('The device may be off', { exact: false })
  await told.waitFor({ timeout: 60_000 })
  expect(await told.textContent()).toContain('the community may be wrong')
  await here.looksWell('device-silent')
}, 120_000)

test('a switch: its ports are walked by the keyboard, and a cable that is pulled is seen', async () => {
  const { page, press } = here
  await open('sw1')
  const port = (number: number, link: RegExp) =>
    page.getByRole('button', { name: new RegExp(`^Port ${number}, .*${link.source}`) })
  await port(3, /Gbps/).waitFor()
  await port(1, /Gbps/).focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('.port-card').getByText('Port 2').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.locator('.port-card').getByText('Port 3').waitFor()
  await lab.cut('c1')
  await until(
    async () => {
      await press('Read now')
      return (await port(3, /No link/).count()) > 0
    },
    { timeoutMs: 30_000, everyMs: 1000 },
  )
  await lab.join('c1')
  await here.looksWell('device-switch')
}, 120_000)

test('charts are a table too, for the keyboard and for who does not see them', async () => {
  const { page } = here
  await open('ap1')
  // What was polled becomes history within a minute or two.
  await until(
    async () => {
      await page.reload()
      await page.getByRole('button', { name: 'Show as table' }).focus()
      await page.keyboard.press('Enter')
      const cpu = page.getByRole('region', { name: 'CPU, last 24 hours' })
      await cpu.waitFor()
      return (await cpu.getByRole('cell', { name: /^[\d.]+ %$/ }).count()) > 0
    },
    { timeoutMs: 180_000, everyMs: 5000 },
  )
  const cpu = page.getByRole('region', { name: 'CPU, last 24 hours' })
  expect(await cpu.getByRole('columnheader').allTextContents()).toEqual(['Time', 'CPU'])
  await cpu.focus()
  const top = () => cpu.evaluate(region => region.scrollTop)
  await page.keyboard.press('Home')
  await until(async () => (await top()) === 0)
  await page.keyboard.press('End')
  await until(async () => (await top()) > 0)
  await here.looksWell('device-table')
  await here.press('Show as charts')
  await page.getByRole('slider', { name: 'CPU, last 24 hours' }).waitFor()
}, 240_000)

test('a device that lets anyone in: a password and a key are set on it, proven, and used from then on', async () => {
  const { page, press, answer, site } = here
  await open('ap1')
  await note('Anyone can log in to this device').waitFor()
  await here.looksWell('device-open')
  await press('Set password and key')
  const fill = (label: string, text: string) => dialog().getByLabel(label, { exact: true }).fill(text)
  await fill('New password', 'short')
  await answer('Set password and key')
  await dialog().locator('.err-msg').waitFor()
  const pair = async (file: string) => (await lab.sh('ap1', `cat ${file}`)).stdout
  await fill('New password', password)
  await fill('Public key', (await pair(`${key}.pub`)).trim())
  await fill('Private key', await pair(key))
  await here.looksWell('device-set-login')
  await answer('Set password and key')
  await note('Anyone can log in to this device').waitFor({ state: 'detached', timeout: 60_000 })
  const logsIn = async (secret: string) => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'PubkeyAuthentication=no']
    const words = options.flatMap(option => ['-o', option])
    return (await lab.tool('sshpass', '-p', secret, 'ssh', ...words, `root@${site.addresses.ap1}`, 'true')).code === 0
  }
  expect(await logsIn(password)).toBe(true)
  expect(await logsIn('')).toBe(false)
  await press('Read now')
  await page.getByText('Online').first().waitFor()
}, 120_000)

test('locate: a light of the device blinks, and stays as it was', async () => {
  // The lab's kernel has no LEDs: plain files stand where the kernel would show one, over what it shows of the rest.
  const led = '/sys/class/leds/green:status'
  const made = await lab.sh(
    'ap1',
    `mkdir -p /run/leds/upper/leds/green:status /run/leds/work && cd /run/leds/upper/leds/green:status &&
     echo '[none] heartbeat' >trigger && echo 0 >brightness &&
     mount -t overlay overlay -o lowerdir=/sys/class,upperdir=/run/leds/upper,workdir=/run/leds/work /sys/class`,
  )
  expect(made).toMatchObject({ code: 0, stderr: '' })
  await open('ap1')
  await here.press('Locate')
  await here.page.locator('.toast.ok', { hasText: 'A light of ap1 blinks' }).waitFor()
  const brightness = async () => (await lab.sh('ap1', `cat ${led}/brightness`)).stdout.trim()
  await until(async () => (await brightness()) === '1', { everyMs: 100 })
  await until(async () => (await brightness()) === '0', { everyMs: 100 })
}, 60_000)

test('reboot: the page shows it go and come back, and the events tell it', async () => {
  const { press, answer } = here
  await open('ap1')
  await press('Reboot')
  await dialog().getByText('Clients behind this device lose their connection', { exact: false }).waitFor()
  await here.looksWell('device-reboot')
  await answer('Reboot device')
  await note('Rebooting').waitFor()
  await note('The device is back').waitFor({ timeout: 180_000 })
  await here.looksWell('device-back')
  await tab('Events')
  await here.row('Reboot asked for by marta.1').waitFor()
  await here.row('The device restarted').waitFor({ timeout: 90_000 })
  await here.looksWell('device-events')
}, 300_000)

test('installed anew: the other host key stops everything until a person accepts it', async () => {
  const { page, press, answer, choose, client } = here
  await open('ap1')
  const renewed = 'rm -f /etc/ssh/ssh_host_* && ssh-keygen -A >/dev/null && systemctl restart ssh'
  expect((await lab.sh('ap1', renewed)).code).toBe(0)
  await until(
    async () => {
      await client.try('devices/sync', { networkId: 1, id: ap }).catch(() => undefined)
      return (await note('The host key is not the one that was confirmed').count()) > 0
    },
    { timeoutMs: 60_000, everyMs: 1000 },
  )
  await here.looksWell('device-other-key')
  await choose('More actions', 'Address and login')
  await press('Look which key it shows now')
  await dialog().getByText('It shows another key', { exact: false }).waitFor()
  await dialog().getByLabel('Accept this key').check()
  await here.looksWell('device-access')
  await answer('Save')
  await note('The host key is not the one that was confirmed').waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByText('Online').first().waitFor({ timeout: 60_000 })
}, 180_000)

test.each(['', '?id=0', '?id=abc', '?id=9999'])(
  'a detail of no device (%s) opens the list with the error',
  async query => {
    await here.page.goto(`/network/1/devices/detail${query}`)
    await here.page.waitForURL('**/network/1/devices')
    await here.heading('Devices')
    await here.page.locator('.toast.bad').first().waitFor()
  },
  60_000,
)
