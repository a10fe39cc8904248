import { weekdays } from '@/model/slots'
import { apply, c1, document, get, reaches } from './_firewall'
import { lab, until } from './_lab'

// Schedules on real devices. Nothing here moves a clock: what is on or off now is chosen by the schedule, or by the
// device's time zone.

const office = (more: Record<string, unknown>) => ({ name: 'Office', weekly: '', dates: [], ...more })
const noWeb = (schedule: object) =>
  document('wiredRule', 'no-web', { protocol: 'tcp', ports: '80', sources: [c1], schedule })

/** The device's own day: `2026-11-23 1`, Monday is 1. */
const today = async (device: 'gw' | 'ap1') => {
  const [date = '', day = ''] = (await lab.sh(device, 'date "+%F %u"')).stdout.trim().split(' ')
  const name = weekdays[Number(day) - 1] ?? 'mon'
  return { date, weekly: `${name} 00:00-24:00`, others: weekdays.filter(one => one !== name) }
}
/** The device's clock in a zone so many hours east of UTC. */
const zone = (device: 'gw' | 'ap1', hours: number) => {
  const name = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  const link = `ln -sfn /usr/share/zoneinfo/${name} /etc/localtime.new && mv -fT /etc/localtime.new /etc/localtime`
  return lab.sh(device, link)
}
/** Where it is neither just before nor just after midnight now. */
const byDay = Array.from({ length: 27 }, (_, at) => at - 12).filter(hours => {
  const hour = (new Date().getUTCHours() + hours + 24) % 24
  return hour > 0 && hour < 23
})
const dayIn = (hours: number) => Math.floor((Date.now() / 3_600_000 + hours) / 24)
const blocks = () => until(async () => (await get('c1')) === 28)

beforeAll(async () => {
  await lab.up()
  await Promise.all([reaches('c1'), reaches('c2')])
})
afterAll(() => Promise.all([lab.reset('gw'), lab.reset('ap1')]))

test('a rule holds while its schedule is on, follows times that change, and a date goes before its weekday', async () => {
  await zone('gw', byDay[0] ?? 0)
  const { date, others } = await today('gw')
  const always = 'mon-sun 00:00-24:00'
  const otherDays = others.map(day => `${day} 00:00-24:00`).join('; ')
  expect(await apply('gw', noWeb(office({ weekly: always, dates: [{ date, times: '' }] })))).toEqual([])
  await reaches('c1')
  await apply('gw', noWeb(office({ weekly: otherDays, dates: [{ date, times: '00:00-24:00' }] })))
  await blocks()
  await reaches('c2')
})

test('the device itself takes a rule off when its clock says so, and has it right after a reboot', async () => {
  const [west = 0, east = 0] = [byDay[0], byDay.at(-1)]
  expect(dayIn(east)).toBeGreaterThan(dayIn(west))
  await zone('gw', west)
  const { date } = await today('gw')
  await apply('gw', noWeb(office({ dates: [{ date, times: '00:00-24:00' }] })))
  await blocks()
  await zone('gw', east)
  await reaches('c1')
  await zone('gw', west)
  await blocks()
  await lab.reboot('gw')
  await reaches('c2')
  await blocks()
  await apply('gw')
  await reaches('c1')
  expect((await lab.sh('gw', 'ls /etc/lanward/ /etc/systemd/system/*/ | grep schedule')).stdout).toBe('')
})

const status = async () => (await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', 'status'])).stdout
const air = (schedule: object) =>
  document('ssid', 'air', { name: 'Office air', security: 'wpa2', key: 'correct horse', schedule })

test('a Wi-Fi network is sent out while its schedule is on, also after a reboot', async () => {
  await zone('ap1', byDay[0] ?? 0)
  const { weekly, others } = await today('ap1')
  const off = others.map(day => `${day} 00:00-24:00`).join('; ')
  await apply('ap1', air(office({ weekly: off })))
  await until(async () => (await lab.sh('ap1', 'pidof hostapd')).stdout === '')
  await lab.reboot('ap1')
  expect((await lab.sh('ap1', 'systemctl is-active lanward-schedule.timer; pidof hostapd')).stdout).toBe('active\n')
  await apply('ap1', air(office({ weekly })))
  await until(async () => /^state=ENABLED$/m.test(await status()))
  expect(await status()).toContain('ssid[0]=Office air')
})
