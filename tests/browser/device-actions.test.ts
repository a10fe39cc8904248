import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

// What a person does to a device from its page: an access point that lets anyone in is given a login, and found by its
// light.

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
  ap = await here.adopt({ address: here.site.addresses.ap1, login: { type: 'ssh', user: 'root' } })
})
afterAll(async () => {
  await here?.close()
  await lab.reset('ap1')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const dialog = () => here.page.getByRole('dialog')
const note = (text: string) => here.page.locator('.note', { hasText: text })
const open = () => here.openDevice('ap1')

test('a device that lets anyone in: a password and a key are set on it, proven, and used from then on', async () => {
  const { page, press, answer, site } = here
  await open()
  await note('Anyone can log in to this device').waitFor()
  await here.looksWell('device-open')
  await press('Set password and key')
  const fill = (label: string, text: string) => dialog().getByLabel(label, { exact: true }).fill(text)
  await fill('New password', 'short')
  await answer('Set password and key')
  await dialog().locator('.field-error').waitFor()
  const pair = async (file: string) => (await lab.sh('ap1', `cat ${file}`)).stdout
  await fill('New password', password)
  await fill('Public key', (await pair(`${key}.pub`)).trim())
  await fill('Private key', await pair(key))
  await here.looksWell('device-set-login')
  await answer('Set password and key')
  await note('Anyone can log in to this device').waitFor({ state: 'detached' })
  const logsIn = async (secret: string) => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'PubkeyAuthentication=no']
    const words = options.flatMap(option => ['-o', option])
    return (await lab.tool('sshpass', '-p', secret, 'ssh', ...words, `root@${site.addresses.ap1}`, 'true')).code === 0
  }
  expect(await logsIn(password)).toBe(true)
  expect(await logsIn('')).toBe(false)
  await press('Read now')
  await page.getByText('Online').first().waitFor()
})

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
  await open()
  // Looked at on the device itself: a look from here may take as long as it is lit.
  const shown = (value: number) => `until grep -qx ${value} ${led}/brightness; do sleep 0.02; done`
  const blinks = () => lab.sh('ap1', `timeout 50 sh -c '${shown(1)}; ${shown(0)}; ${shown(1)}'`)
  const dark = () =>
    until(async () => {
      const now = await lab.sh('ap1', `cat ${led}/trigger ${led}/brightness; ls /run/lanward | grep locate`)
      return now.stdout.trim() === 'none\n0'
    })
  const begin = async () => {
    const seen = blinks()
    await here.press('Locate')
    await dialog().getByText('An LED of ap1 is blinking.').waitFor()
    expect((await seen).code).toBe(0)
  }
  await begin()
  await here.looksWell('device-locate')
  await dialog().getByRole('button', { name: 'Stop blinking' }).click()
  await dark()
  await begin()
  await here.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await dark()
  await begin()
  // The page is left while it is open.
  await here.page.goto('about:blank')
  await dark()
  await open()
})

test('locate: who asks on is written down once, and a device that nobody asks any more stops on its own', async () => {
  const { client } = here
  const led = '/sys/class/leds/green:status'
  const locate = (seconds?: number) => client.must('devices/locate', { networkId: 1, id: ap, seconds })
  const entries = async () => ((await client.must('changelog/list', { search: 'ap1' })) as { total: number }).total
  const before = await entries()
  await locate(5)
  await locate(5)
  expect(await entries()).toBe(before + 1)
  expect((await lab.sh('ap1', `ls /run/lanward | grep -c locate`)).stdout.trim()).toBe('2')
  await until(async () => (await lab.sh('ap1', `ls /run/lanward | grep -c locate`)).stdout.trim() === '0')
  expect((await lab.sh('ap1', `cat ${led}/trigger ${led}/brightness`)).stdout.trim()).toBe('none\n0')
  await expect(locate(121)).rejects.toThrow()
})
