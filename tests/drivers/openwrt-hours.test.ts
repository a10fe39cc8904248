// Hours of wireless networks, their rules and limits, kept by the device's own clock: what is made of them is in
// golden/openwrt/schedule, here is what follows from it.
import { assess, renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, NativeConfig } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { equal, planPush } from '@/server/drivers/openwrt/push'
import { withoutHours } from '@/server/drivers/openwrt/uci/hours'
import { withTimes } from '@/server/drivers/openwrt/uci/schedule'
import { scheduleMark, scheduleOf } from '@/server/drivers/unix/schedules'
import { made } from './_golden'
import { networkRoles } from './_network-roles'

const office = { name: 'Office', weekly: 'mon-fri 08:00-18:00', dates: [] }
const document = (kind: string, id: string, data: Record<string, unknown>): DesiredDocument => ({
  ...{ id, kind, name: id },
  data: { name: id, ...data },
})
const ssid = (schedule?: object) => document('ssid', 'air', { security: 'open', ...(schedule && { schedule }) })
const rule = (more: object) => document('wirelessRule', 'w', { ...more })

const render = (documents: DesiredDocument[]): NativeConfig => ({
  blocks: renderAll(driver.renderers, {
    facts: { kind: 'gateway', capabilities: ['wifi', 'fw4', 'nftBridge'] },
    observation: {
      ...{ takenAt: 0, depth: 'full' },
      networks: [{ name: 'lan', device: 'br-lan' }],
      networkRoles,
      interfaces: [{ key: 'wan', name: 'wan', type: 'ethernet', addresses: ['198.51.100.7/24'] }],
      radios: [{ key: 'radio0', name: 'radio0', band: '2g', up: true }],
    },
    ...{ documents, confirmSeconds: 60 },
  }).blocks,
})

test('what the clock has set is read as if it were not there, of these sections alone', () => {
  const { blocks } = render([ssid(office)])
  const seen = (name: string) => ({
    id: `uci:wireless.${name}`,
    text: `wireless.${name}.a='1'\nwireless.${name}.disabled='1'`,
  })
  const read = withoutHours({ blocks: [...blocks, seen('lw_air_radio0'), seen('other')] }).blocks
  expect(read.slice(-2).map(one => one.text)).toEqual(["wireless.lw_air_radio0.a='1'", seen('other').text])
  expect(withoutHours({ blocks: [seen('lw_air_radio0')] }).blocks).toEqual([seen('lw_air_radio0')])
})

test('a network that gets hours, or has none any more, is written back with the rest and put right', () => {
  const [plain, timed] = [render([ssid()]), render([ssid(office)])]
  const wireless = '/etc/config/wireless'
  const added = planPush('id', plain, timed, 60)
  // The hours set an option there: it goes back when the push does.
  expect(added.files).toEqual(expect.arrayContaining([wireless, '/etc/hotplug.d/ntp/90-lanward']))
  expect(added.settle).toMatch(/sh \/etc\/lanward\/hours\.sh push[\s\S]*ubus call network reload/)
  const removed = planPush('id', timed, plain, 60)
  expect(removed.files).toContain(wireless)
  expect(removed.apply).toContain('uci -q delete wireless.lw_air_radio0.disabled\n')
  expect(planPush('id', timed, timed, 60).files).toEqual([])
  expect(planPush('id', plain, plain, 60).settle).not.toContain('hours.sh')
})

test('hours take the networks of their radio off for a moment, and a push says so', () => {
  const bss = ['radio0', 'radio1'].map(radio => ({
    key: radio,
    radio,
    interface: `ap-${radio}`,
    ssid: `on ${radio}`,
    up: true,
  }))
  const seen = { takenAt: 0, depth: 'full' as const, bss }
  const { interrupted } = assess(driver, render([ssid()]), render([ssid(office)]), seen, () => [])
  expect(interrupted.map(one => one.ssid)).toEqual(['on radio0'])
})

test('a section of the system’s own is as planned where “enabled” is not written on the device', () => {
  const planned = made('openwrt/schedule/07-taken-over').blocks.find(one => one.item)
  const seen = { id: 'uci:wireless.default_radio0', text: "wireless.default_radio0.ssid='air'" }
  expect(planned && equal(planned, seen)).toBe(true)
})

test('G16: times of rules as nftables has them; a date of its own goes before the week', () => {
  const dates = [
    { date: '2026-12-24', times: '10:00-12:00' },
    { date: '2026-12-25', times: '' },
  ]
  const schedule = scheduleOf({ ...office, weekly: 'mon-tue 08:00-12:00; sat 20:00-24:00', dates })
  if (!schedule) throw new Error('no schedule')
  const line = `\t\tdrop ${scheduleMark(schedule.key)}`
  const lines = withTimes(`\taccept\n${line}`, [schedule]).split('\n')
  const week = [
    'meta hour "08:00:00"-"11:59:59" meta day { "Monday", "Tuesday" }',
    'meta hour "20:00:00"-"23:59:59" meta day "Saturday"',
  ]
  const spans = ['meta time <= "2026-12-23 23:59:59"', 'meta time >= "2026-12-26 00:00:00"']
  expect(lines).toEqual([
    '\taccept',
    ...week.flatMap(when => spans.map(span => line.replace('drop', `${span} ${when} drop`))),
    line.replace('drop', 'meta time "2026-12-24 10:00:00"-"2026-12-24 11:59:59" drop'),
  ])
  const never = scheduleOf({ ...office, weekly: '' })
  expect(never && withTimes(line, [never])).toBe('')
})

test('an allowance by the hour is none to rely on', () => {
  const { blocks } = render([ssid(), rule({})])
  const [name = ''] = blocks.flatMap(one => /ifname='(\w+)'/.exec(one.text)?.[1] ?? [])
  const cuts = (schedule?: object) => {
    const allow = rule({ action: 'allow', ...(schedule && { schedule }) })
    const deny = document('wirelessRule', 'x', {})
    const path = { peer: '192.168.1.2', local: '192.168.1.1', interface: 'br-lan', port: name }
    const interfaces = [{ key: name, name, type: 'wifi' as const }]
    const seen = { takenAt: 0, depth: 'full' as const, path, interfaces }
    return driver.renderers.flatMap(one => one.cuts?.({ blocks: [] }, render([ssid(), allow, deny]), seen) ?? []).length
  }
  expect([cuts(), cuts(office)]).toEqual([0, 1])
})
