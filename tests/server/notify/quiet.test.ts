// When nobody is told: maintenance and quiet hours; and who is told when nobody looks after it.
import { eq } from 'drizzle-orm'
import { alerts, devices, heldNotices, mails, maintenanceWindows, noticeDeliveries, noticeTargets } from '@/db/schema'
import { codes } from '@/model/codes'
import { dayAt } from '@/model/notify/clock'
import { queueAlerts } from '@/server/notify/alerts/notices'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { tellDue } from '@/server/notify/alerts/tell'
import { gatherNotices } from '@/server/notify/targets/gather'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network } from '../_people'

let manager: Manager
let owner: Browser
let device: number
const zone = 'Europe/Lisbon'
const minute = 60_000

beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  await must('webhooks/segments/save', { segments: ['127.0.0.1'] })
  const row = {
    address: '192.0.2.1',
    port: 9,
    driver: 'snmp',
    kind: 'switch',
    status: 0,
    statusAt: 1,
    createdAt: 1,
  } as const
  device = manager.runtime.db
    .insert(devices)
    .values({ ...row, organization: 1, network: 1, name: 'sw1' })
    .returning()
    .get().id
})
afterAll(() => manager.stop())
afterEach(() => {
  for (const table of [noticeTargets, maintenanceWindows, heldNotices, mails, alerts])
    manager.runtime.db.delete(table).run()
})

async function must(path: string, body: object = {}): Promise<Record<string, unknown>> {
  const { retCode, data } = await owner.post(path, body)
  expect([path, retCode, data]).toEqual([path, 0, data])
  return data
}
const chat = { name: 'Ops', enabled: true, service: 'slack', level: '15', url: 'http://127.0.0.1:9/x' }
const target = async (more: object = {}) =>
  (await must('alerts/targets/save', { fields: { ...chat, ...more } })).id as number
/** What a target was given to say since the last time, as if it had arrived. */
function said(id: number, now = Date.now()): { subject: string; text: string }[] {
  gatherNotices(manager.runtime, now)
  const { db } = manager.runtime
  const rows = db.select().from(noticeDeliveries).where(eq(noticeDeliveries.target, id)).all()
  db.delete(noticeDeliveries).run()
  return rows.map(({ body }) => {
    const { subject, alerts } = JSON.parse(body) as { subject: string; alerts: { text: string }[] }
    return { subject, text: alerts.map(one => one.text).join(', ') }
  })
}
const raise = (name: string, more: object = {}) =>
  raiseAlert(manager.runtime, { type: 'deviceOffline', grade: 'other', network: 1, values: { device: name }, ...more })
const rowOf = (id: number) => manager.runtime.db.select().from(alerts).where(eq(alerts.id, id)).get()
/** A window that is on since a minute, for two hours. */
function window(more: object = {}) {
  const since = Date.now() - minute
  const local = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(since)
  const fields = { name: 'Rack', repeat: 'once', date: dayAt(zone, since), time: local, minutes: 120 }
  return { fields: { ...fields, ...more } }
}

describe('maintenance', () => {
  const end = async () => {
    const [one] = (await must('alerts/maintenance/list')).result as { span: { until: number }; on: boolean }[]
    expect(one?.on).toBe(true)
    return one?.span.until ?? 0
  }

  test('what is raised in it is listed and marked, and told when it is still open at the end, which comes by itself', async () => {
    const id = await target()
    await must('alerts/maintenance/save', window())
    const open = raise('open')
    const mended = raise('mended')
    raise('restarted', { type: 'deviceRestarted' })
    const until = await end()
    const list = (await must('alerts/list')).result as { maintenance: string }[]
    expect(list.map(one => one.maintenance)).toEqual(['Rack', 'Rack', 'Rack'])
    tellDue(manager.runtime, until - 1)
    expect(said(id)).toEqual([])
    manager.runtime.db.update(alerts).set({ recoveredAt: 1, tellAt: null }).where(eq(alerts.id, mended)).run()
    tellDue(manager.runtime, until)
    expect(said(id)).toEqual([{ subject: '[Harbour House] open is offline', text: 'open is offline' }])
    expect(rowOf(open)).toMatchObject({ told: expect.any(Number), toldAt: expect.any(Number) })
    const detail = await must('alerts/detail', { id: open })
    expect(detail).toMatchObject({ told: true, toldAt: expect.any(Number), alert: { maintenance: 'Rack' } })
  })

  test('an alert whose time comes in a window waits for its end, too', async () => {
    const id = await target()
    const alert = raise('sw1', { tellAt: Date.now() })
    await must('alerts/maintenance/save', window({ repeat: 'once' }))
    tellDue(manager.runtime)
    expect(rowOf(alert)).toMatchObject({ told: null, tellAt: await end(), maintenance: 'Rack' })
    expect(said(id)).toEqual([])
  })

  test('chosen devices alone are in it; the others are told of at once', async () => {
    const id = await target()
    await must('alerts/maintenance/save', { ...window(), devices: [device] })
    raise('in it', { device })
    raise('beside it')
    raise('elsewhere', { network: network(manager, 'Annex'), device })
    expect(said(id)[0]?.text).toBe('beside it is offline, elsewhere is offline')
  })

  test('the word of an end whose trouble was told comes after it', async () => {
    const id = await target()
    await must('alerts/maintenance/save', window())
    raise('sw1', { type: 'deviceOnline' })
    expect(said(id)).toEqual([])
    tellDue(manager.runtime, await end())
    expect(said(id)[0]?.text).toBe('sw1 is online again')
  })

  test('deleted early it holds nothing back any more', async () => {
    const id = await target()
    const { id: made } = await must('alerts/maintenance/save', window())
    raise('sw1')
    tellDue(manager.runtime, Date.now() + 3 * minute)
    expect(said(id)).toEqual([])
    await must('alerts/maintenance/delete', { id: made })
    tellDue(manager.runtime, Date.now() + 3 * minute)
    expect(said(id)[0]?.text).toBe('sw1 is offline')
  })

  test.each([
    ['no day', { date: undefined }, { date: 'required' }],
    ['no day of the week', { repeat: 'weekly', date: undefined }, { weekday: 'required' }],
    ['a day and a day of the week', { weekday: 1 }, { weekday: 'notUsed' }],
    ['no time', { time: '25:00' }, { time: 'invalidFormat' }],
    ['too short', { minutes: 4 }, { minutes: 'tooSmall' }],
    ['longer than a week', { minutes: 10_081 }, { minutes: 'tooLarge' }],
    ['no name', { name: '' }, { name: 'required' }],
  ])('%s is refused at its field', async (_what, more, wrong) => {
    const { retCode, data } = await owner.post('alerts/maintenance/save', window(more))
    expect([retCode, data.fields]).toEqual([codes.invalidInput, wrong])
    expect((await must('alerts/maintenance/list')).result).toEqual([])
  })

  test('a name is taken once; a device of elsewhere is none; another network finds no window', async () => {
    const { id } = await must('alerts/maintenance/save', window())
    expect((await owner.post('alerts/maintenance/save', window({ name: 'rack' }))).data.fields).toEqual({
      name: 'nameExists',
    })
    const far = await owner.post('alerts/maintenance/save', { ...window({ name: 'x' }), devices: [99_999] })
    expect(far.data.fields).toEqual({ devices: 'notFound' })
    const other = network(manager, 'Other')
    const gone = await owner.post('alerts/maintenance/delete', { id, networkId: other })
    expect(gone.retCode).toBe(codes.maintenanceNotFound)
  })
})

describe('quiet hours', () => {
  /** From a minute ago until in an hour, by the network's clock. */
  async function quiet(more: object = {}) {
    const { values, revision } = (await must('alerts/config/query')) as { values: object; revision: number }
    const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
    const [quietFrom, quietUntil] = [time.format(Date.now() - minute), time.format(Date.now() + 60 * minute)]
    return owner.post('alerts/config/save', {
      ...values,
      quiet: true,
      quietFrom,
      quietUntil,
      quietLevel: '5',
      ...more,
      revision,
    })
  }
  afterEach(async () => void (await quiet({ quiet: false })))
  const later = () => Date.now() + 61 * minute

  test('what is grave comes at once, the rest as one digest at the end, with what is resolved meanwhile', async () => {
    const id = await target()
    expect((await quiet()).retCode).toBe(0)
    raise('grave', { grade: 'gateway' })
    raise('warning')
    const mended = raise('mended')
    expect(said(id)).toEqual([{ subject: '[Harbour House] grave is offline', text: 'grave is offline' }])
    manager.runtime.db.update(alerts).set({ recoveredAt: 1 }).where(eq(alerts.id, mended)).run()
    expect(said(id)).toEqual([])
    expect(said(id, later())).toEqual([
      {
        subject: '[Harbour House] Digest of quiet hours: 2 alerts',
        text: 'warning is offline, mended is offline (resolved)',
      },
    ])
    expect(said(id, later())).toEqual([])
  })

  test('by mail, too', async () => {
    const server = { host: '127.0.0.1', port: 9, security: 'none', from: 'nms@example.test' }
    await must('system-settings/smtp/save', { ...server, publicUrl: 'https://nms.example.test' })
    await must('alerts/notice/save', { mode: 'mail', mail: { to: ['ops@example.test'] } })
    await quiet({ quietLevel: '10' })
    const count = () => manager.runtime.db.select().from(mails).all().length
    raise('notice', { type: 'deviceOnline' })
    queueAlerts(manager.runtime)
    expect(count()).toBe(0)
    raise('warning')
    queueAlerts(manager.runtime)
    expect(count()).toBe(1)
    queueAlerts(manager.runtime, later())
    expect(count()).toBe(2)
    expect(manager.runtime.db.select().from(heldNotices).all()).toEqual([])
    await must('alerts/notice/save', { mode: 'off' })
  })

  test('log servers hear of all at once; other networks have no quiet hours; turned off, nothing waits', async () => {
    const machine = await target({
      name: 'Log',
      service: 'syslog',
      url: undefined,
      host: '127.0.0.1',
      port: 514,
      protocol: 'udp',
    })
    await quiet()
    raise('held')
    expect(said(machine)[0]?.text).toBe('held is offline')
    const id = await target()
    raise('held again')
    raise('elsewhere', { network: network(manager, 'Tower') })
    expect(said(id)[0]?.text).toBe('elsewhere is offline')
    await quiet({ quiet: false })
    expect(said(id)[0]?.text).toBe('held again is offline')
  })

  test('that never end are refused', async () => {
    const { retCode, data } = await quiet({ quietFrom: '07:00', quietUntil: '07:00' })
    expect([retCode, data.fields]).toEqual([codes.invalidInput, { quietUntil: 'sameTime' }])
  })
})

describe('escalation', () => {
  const later = (minutes: number) => Date.now() + minutes * minute

  test('who is told only when nobody acknowledges hears of nothing else', async () => {
    const at = await target()
    const boss = await target({ name: 'Boss', afterMinutes: 15 })
    const taken = raise('taken')
    const mended = raise('mended')
    raise('left alone')
    raise('sw2', { type: 'deviceOnline' })
    // Over as they happen: nobody can take them over.
    raise('sw3', { type: 'deviceRestarted' })
    raise('', { type: 'workerRestarted', network: null, values: { error: 'x' } })
    expect(said(at)).toHaveLength(1)
    expect(said(boss, later(14))).toEqual([])
    await must('alerts/acknowledge', { id: taken })
    manager.runtime.db.update(alerts).set({ recoveredAt: 1 }).where(eq(alerts.id, mended)).run()
    expect(said(boss, later(16))).toEqual([
      {
        subject: '[Harbour House] Not acknowledged after 15 min: left alone is offline',
        text: 'left alone is offline',
      },
    ])
    expect(said(boss, later(60))).toEqual([])
  })

  test('each alert has its own time', async () => {
    const boss = await target({ name: 'Boss', afterMinutes: 15 })
    const [first] = [raise('first'), raise('second')]
    manager.runtime.db
      .update(alerts)
      .set({ toldAt: Date.now() - 10 * minute })
      .where(eq(alerts.id, first))
      .run()
    expect(said(boss, later(6))[0]?.text).toBe('first is offline')
    expect(said(boss, later(16))[0]?.text).toBe('second is offline')
  })

  test.each([0, 1441])('%d minutes are refused at the field', async afterMinutes => {
    const { data } = await owner.post('alerts/targets/save', { fields: { ...chat, afterMinutes } })
    expect(Object.keys(data.fields as object)).toEqual(['afterMinutes'])
  })
})

test('alerts/ap-list: the devices that alerts are about, those with the most first', async () => {
  raise('sw1', { device })
  raise('sw1', { device })
  raise('nobody')
  expect(await must('alerts/ap-list')).toEqual({ result: [{ id: device, name: 'sw1', alerts: 2 }] })
})
