import { deviceEvents, devices } from '@/db/schema'
import { onlineTime } from '@/server/devices/inventory/online-time'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

test.each([
  // Of 100 milliseconds from 1000 on.
  ['nobody knows', [], [0, 0, 100, 0, 0]],
  ['on before and since', [[500, true]], [100, 0, 0, 0, 0]],
  ['known from within', [[1040, true]], [60, 0, 40, 0, 0]],
  [
    'an outage within',
    [
      [500, true],
      [1010, false],
      [1030, true],
    ],
    [80, 20, 0, 1, 20],
  ],
  [
    'an outage that reaches in, and another',
    [
      [900, false],
      [1010, true],
      [1050, false],
      [1090, true],
    ],
    [50, 50, 0, 2, 40],
  ],
  [
    'off until now',
    [
      [1010, true],
      [1080, false],
    ],
    [70, 20, 10, 1, 20],
  ],
  [
    'unknown in between',
    [
      [500, true],
      [1050, undefined],
      [1060, true],
    ],
    [90, 0, 10, 0, 0],
  ],
  [
    'later than asked',
    [
      [500, true],
      [1200, false],
    ],
    [100, 0, 0, 0, 0],
  ],
] as [string, [number, boolean | undefined][], number[]][])('%s', (_, turns, sums) => {
  const { onlineMs, offlineMs, unknownMs, outages, longestMs } = onlineTime(
    turns.map(([at, online]) => ({ at, online })),
    1000,
    1100,
  )
  expect([onlineMs, offlineMs, unknownMs, outages, longestMs]).toEqual(sums)
})

describe('the file', () => {
  let manager: Manager
  let browser: Browser
  beforeEach(async () => {
    manager = await startTestManager({ starters: [fleetInProcess()] })
    browser = await finishedWizard(manager)
  })
  afterEach(() => manager.stop())

  const hour = 3_600_000
  function device(name: string, status: number, events: [string, number][], now: number) {
    const { db } = manager.runtime
    const base = { organization: 1, network: 1, port: 9, driver: 'snmp', kind: 'ap' } as const
    const last = events.at(-1)?.[1] ?? 1
    const row = { ...base, name, address: `127.9.2.${name.length}`, status, statusAt: now - last * hour, createdAt: 1 }
    const { id } = db.insert(devices).values(row).returning().get()
    for (const [code, ago] of events)
      db.insert(deviceEvents)
        .values({ device: id, code, at: now - ago * hour })
        .run()
  }
  const linesOf = async (query: string) => {
    const answer = await browser.raw(`exports/online-status?networkId=1${query}`, { method: 'GET' })
    return (await answer.text()).trim().split('\r\n')
  }

  test('how long each device was online in the last days, by its events', async () => {
    const now = Date.now()
    device(
      'ap',
      1,
      [
        ['deviceOnline', 100],
        ['deviceOffline', 12],
        ['deviceOnline', 6],
      ],
      now,
    )
    device(
      '=cut',
      0,
      [
        ['deviceOnline', 200],
        ['deviceOffline', 30],
      ],
      now,
    )
    const [head, cut = '', ap = ''] = await linesOf('&days=1')
    expect(head).toBe(
      'name,mac,address,group,status,status since,last seen,reason,online %,online seconds,offline seconds,unknown seconds,outages,longest outage seconds',
    )
    expect(ap).toMatch(/^ap,,127\.9\.2\.2,,online,\S+,unknown,,75,648\d\d,2160\d,0,1,2160\d$/)
    expect(cut).toMatch(/^"'=cut",,127\.9\.2\.4,,offline,\S+,unknown,,0,0,86400,0,1,86400$/)
    expect((await linesOf('&days=7'))[2]).toContain(',online,')
    expect((await linesOf('&days=7'))[1]).toMatch(/,82\.1,496[78]\d\d,10800\d,0,1,10800\d$/)
    expect(await linesOf('&days=30&status=0')).toHaveLength(2)
    expect((await linesOf('&days=2'))[0]).toContain('"days":"notAllowed"')
  })

  test('while another device was in the way nobody knows; what it was before and since counts', async () => {
    const now = Date.now()
    device(
      'ap',
      1,
      [
        ['deviceOnline', 100],
        ['deviceOffline', 18],
        ['deviceBehind', 18],
        ['deviceOnline', 12],
      ],
      now,
    )
    device(
      'late',
      0,
      [
        ['deviceOnline', 200],
        ['deviceOffline', 20],
        ['deviceBehind', 16],
        ['deviceAlone', 8],
      ],
      now,
    )
    device(
      'still',
      0,
      [
        ['deviceOnline', 200],
        ['deviceOffline', 6],
        ['deviceBehind', 6],
      ],
      now,
    )
    const [, ap, late, still] = await linesOf('&days=1')
    expect(ap).toMatch(/^ap,.*,100,648\d\d,0,2160\d,0,0$/)
    expect(late).toMatch(/^late,.*,25,1440\d,4320\d,2880\d,2,2880\d$/)
    expect(still).toMatch(/^still,.*,100,648\d\d,0,2160\d,0,0$/)
  })
})
