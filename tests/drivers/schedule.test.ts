// What a device makes of its list of schedules: the very awk program that runs there, and the files around it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderAll } from '@/server/drivers/assess'
import type { DesiredDocument } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { planPush } from '@/server/drivers/linux/push'
import { onNow, scheduleOf } from '@/server/drivers/unix/schedules'

const office = {
  name: 'Office',
  weekly: 'mon-fri 08:00-12:00,13:00-24:00; sun 02:00-03:00',
  dates: [
    { date: '2026-12-24', times: '10:00-12:00' },
    { date: '2026-12-25', times: '' },
  ],
}
const key = scheduleOf(office)?.key ?? ''

const ssid = (schedule?: object): DesiredDocument => ({
  id: 'air',
  kind: 'ssid',
  name: 'Air',
  data: { name: 'Air', security: 'open', ...(schedule && { schedule }) },
})

function render(kind: 'gateway' | 'ap', documents: DesiredDocument[]) {
  const facts = { kind, capabilities: ['root', 'systemd', 'nftables', 'hostapd', 'wifi'] }
  const radios = [{ key: 'wlan0', name: 'wlan0', interface: 'wlan0', driver: 'none' as const, maxBss: 1 }]
  const interfaces = [{ key: 'wan0', name: 'wan0', uplink: true }]
  const observation = { takenAt: 0, depth: 'full' as const, radios, interfaces, routes: [] }
  const input = { facts, observation: observation as never, documents, confirmSeconds: 60 }
  return renderAll(linuxDriver.renderers, input).blocks
}
const textOf = (blocks: ReturnType<typeof render>, path: string) =>
  blocks.find(block => block.id === `file:${path}`)?.text ?? ''

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanward-schedule-'))
  writeFileSync(join(folder, 'list'), textOf(render('ap', [ssid(office)]), '/etc/lanward/schedules'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** `moment` on the clock of a zone, as the device's own `date` tells it. */
function isOn(moment: string, zone: string): boolean {
  const said = execFileSync('date', ['-d', moment, '+%F %u %H:%M'], {
    env: { ...process.env, TZ: zone },
    encoding: 'utf8',
  })
  const [date, day, time] = said.trim().split(' ')
  const args = ['-v', `date=${date}`, '-v', `day=${day}`, '-v', `time=${time}`, onNow, join(folder, 'list')]
  return execFileSync('sh', ['-c', 'exec awk "$@"', 'awk', ...args], { encoding: 'utf8' })
    .split(' ')
    .includes(key)
}

test.each([
  // A Monday.
  ['2026-11-23T07:59:59Z', 'UTC', false],
  ['2026-11-23T08:00:00Z', 'UTC', true],
  ['2026-11-23T11:59:59Z', 'UTC', true],
  ['2026-11-23T12:00:00Z', 'UTC', false],
  ['2026-11-23T23:59:59Z', 'UTC', true],
  ['2026-11-24T00:00:00Z', 'UTC', false],
  ['2026-11-21T10:00:00Z', 'UTC', false],
  // The same moment on other clocks.
  ['2026-11-23T07:30:00Z', 'Europe/Berlin', true],
  ['2026-11-23T23:30:00Z', 'Asia/Kolkata', false],
  // Summer time begins in the night of a Sunday: 02:00 does not exist; it ends: 02:30 comes twice.
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', false],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', false],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', true],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', true],
  ['2026-10-25T02:00:00Z', 'Europe/Berlin', false],
  // Half an hour after summer and winter time have begun, eight o'clock is eight o'clock.
  ['2026-03-27T07:00:00Z', 'Europe/Berlin', true],
  ['2026-03-30T06:00:00Z', 'Europe/Berlin', true],
  ['2026-03-30T05:59:00Z', 'Europe/Berlin', false],
  // Rule G16: a date's times count and not the week's.
  ['2026-12-24T09:00:00Z', 'UTC', false],
  ['2026-12-24T10:00:00Z', 'UTC', true],
  ['2026-12-25T10:00:00Z', 'UTC', false],
  ['2026-12-28T10:00:00Z', 'UTC', true],
])('G16 at %s in %s: %s', (moment, zone, expected) => expect(isOn(moment, zone)).toBe(expected))

test('times that change leave the files that follow them as they are', () => {
  const [before, after] = [office, { ...office, weekly: 'sat 08:00-09:00' }].map(one => ({
    blocks: render('ap', [ssid(one)]),
  })) as [{ blocks: ReturnType<typeof render> }, { blocks: ReturnType<typeof render> }]
  expect(planPush('id', before, after, 60).files).toEqual(['/etc/lanward/schedules'])
})
