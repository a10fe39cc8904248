import { DeviceError, type Reason } from '@/server/drivers/driver'
import {
  answered,
  backOff,
  endQuiet,
  isSlow,
  loginMustWait,
  missed,
  pingAnswered,
  statusAfter,
  timed,
  walkFailed,
} from '@/server/worker/outcome'
import { driverWith, entryWith, newLedger } from './_entry'

const now = Date.parse('2026-01-02T03:04:05Z')
const hour = 3_600_000
const minute = 60_000

beforeEach(() => jest.useFakeTimers({ now }))
afterEach(() => jest.useRealTimers())

test.each([
  [3, 0, 1],
  [0, 0, 1],
  [1, 1, 1],
  [3, 1, 3],
  [1, 2, 0],
  [0, 3, 0],
] as const)('a device of status %i that missed %i polls in a row has status %i', (status, misses, after) => {
  expect(statusAfter({ status, missed: misses })).toBe(after)
})

test('an answer brings a device online, said once; then only what it is seen at, once an hour', () => {
  const { told, ...ledger } = newLedger()
  const entry = entryWith()
  answered(entry, ledger)
  expect(told).toEqual([
    { id: 1, at: now, status: 1, reason: '', seenAt: now, events: [{ at: now, code: 'deviceOnline', values: {} }] },
  ])
  jest.setSystemTime(now + hour)
  answered(entry, ledger)
  expect(told).toHaveLength(1)
  jest.setSystemTime(now + hour + 1)
  answered(entry, ledger)
  expect(told[1]).toEqual({ id: 1, at: now + hour + 1, status: 1, reason: '', seenAt: now + hour + 1, events: [] })
  expect([entry.answered, ledger.stats.answered]).toEqual([3, 3])
})

test('a new reason and new facts are told though the status stays', () => {
  const { told, ...ledger } = newLedger()
  const entry = entryWith({ status: 1, seenAt: now })
  answered(entry, ledger, 'noView')
  answered(entry, ledger, 'noView', { facts: { kind: 'switch', capabilities: [] } })
  expect(told).toMatchObject([{ reason: 'noView' }, { reason: 'noView', facts: { kind: 'switch' } }])
})

test('the second miss takes a device offline: its clients and live values go, and all is read anew later', () => {
  const { told, ...ledger } = newLedger()
  const { live, clients } = ledger.sinks
  const entry = entryWith({ status: 1, seenAt: now, fullAt: now })
  live.set(1, { seenAt: now, cpuPercent: 5 })
  const mac = '02:00:00:00:00:01'
  clients.update(entry.device, { takenAt: now, depth: 'full', facts: { kind: 'ap', capabilities: [], mac } })
  missed(entry, ledger, new DeviceError('timeout'))
  expect(told).toMatchObject([{ status: 1, reason: 'timeout', events: [] }])
  expect([clients.has(1), entry.fullAt]).toEqual([true, now])
  missed(entry, ledger, new DeviceError('timeout'))
  expect(told[1]).toMatchObject({ status: 0, events: [{ code: 'deviceOffline', values: { reason: 'timeout' } }] })
  expect(clients.has(1)).toBe(false)
  // It is no client of the switch that still has it in its table.
  const hosts = [{ mac, port: '1', source: 'fdb' as const }]
  clients.update({ id: 2, network: 1, kind: 'switch' }, { takenAt: now, depth: 'full', hosts })
  expect(clients.counts(1)).toMatchObject({ total: 0 })
  expect(live.row(1)).toEqual({ seenAt: now })
  expect(entry.fullAt).toBe(0)
})

test('a miss ends the session, makes rates unknown, and counts in the history as a poll without an answer', () => {
  const ledger = newLedger()
  const closed: unknown[] = []
  const driver = driverWith({ close: session => void closed.push(session) })
  const entry = entryWith({ session: { value: 'session', usedAt: now } }, driver)
  entry.counters.at = now
  missed(entry, ledger, new DeviceError('closed'))
  expect(closed).toEqual(['session'])
  expect(entry.counters.at).toBe(0)
  const bucket = Math.floor(now / 300_000) * 300
  expect(ledger.sinks.history.sums(0, bucket, { of: 'device', id: 1 }, false)).toMatchObject({ polls: 1, answered: 0 })
})

test.each([
  ['was cancelled', false, new DeviceError('cancelled')],
  ['ends after the device was removed', true, new DeviceError('timeout')],
])('a poll that %s says nothing of the device', (_, gone, error) => {
  const { told, ...ledger } = newLedger()
  const entry = entryWith({ gone })
  missed(entry, ledger, error)
  expect([entry.missed, told.length]).toEqual([0, 0])
})

test('quiet begins with two minutes, doubles up to half an hour, and begins anew after a good reading', () => {
  const entry = entryWith()
  const lengths = Array.from({ length: 6 }, () => {
    backOff(entry, 'login')
    return (entry.quietUntil - now) / minute
  })
  expect(lengths).toEqual([2, 4, 8, 16, 30, 30])
  endQuiet(entry)
  expect(entry).toMatchObject({ quietUntil: 0, quietMs: 0 })
  backOff(entry, 'walk')
  expect(entry).toMatchObject({ quietFor: 'walk', quietMs: 2 * minute })
})

test('a device whose tables cannot be read is online, and its walks are held back', () => {
  const { told, ...ledger } = newLedger()
  const entry = entryWith()
  walkFailed(entry, ledger, new DeviceError('tooLarge'))
  expect(entry).toMatchObject({ status: 1, reason: 'tooLarge', quietFor: 'walk', quietUntil: now + 2 * minute })
  expect(told).toMatchObject([{ status: 1, reason: 'tooLarge' }])
  const bucket = Math.floor(now / 300_000) * 300
  expect(ledger.sinks.history.sums(0, bucket, { of: 'device', id: 1 }, false)).toMatchObject({ polls: 1, answered: 1 })
})

test('in a quiet time of walks an answer counts, in one of logins it does not: the reason stays in both', () => {
  const ledger = newLedger()
  const walks = entryWith({ status: 1, missed: 1, quietFor: 'walk', reason: 'tooLarge' })
  pingAnswered(walks, ledger)
  expect(walks).toMatchObject({ missed: 0, answered: 1, reason: 'tooLarge' })
  const logins = entryWith({ status: 1, quietFor: 'login', reason: 'hostKeyChanged' })
  pingAnswered(logins, ledger)
  expect(logins).toMatchObject({ missed: 1, answered: 0, reason: 'hostKeyChanged' })
  const unknown = entryWith({ status: 1, quietFor: 'login' })
  pingAnswered(unknown, ledger)
  expect(unknown.reason).toBe('credentials')
})

test.each([
  ['ssh', 'credentials', true],
  ['ssh', 'hostKeyChanged', true],
  ['ssh', 'timeout', false],
  ['ssh', 'refused', false],
  ['ssh', 'refusing', false],
  ['snmp', 'credentials', false],
] as const)('by %s, after %s the next login waits: %s', (protocol, reason, waits) => {
  const entry = entryWith({}, driverWith({ protocol }))
  expect(loginMustWait(entry, new DeviceError(reason as Reason))).toBe(waits)
})

test('an error that is no reason of a device counts as internal, and lets the next login wait', () => {
  expect(loginMustWait(entryWith({}, driverWith({ protocol: 'ssh' })), new Error('no such method'))).toBe(true)
})

test('a poll of more than ten seconds makes a device slow, the next quick one does not', () => {
  const entry = entryWith({ status: 1 })
  timed(entry, now - 10_001)
  expect(entry).toMatchObject({ lastMs: 10_001, lastAt: now - 10_001, slow: true })
  timed(entry, now - 10_000)
  expect(entry.slow).toBe(false)
})

test.each([
  [{ slow: false, status: 1, missed: 0 }, false],
  [{ slow: false, status: 3, missed: 0 }, false],
  [{ slow: true, status: 1, missed: 0 }, true],
  [{ slow: false, status: 1, missed: 1 }, true],
  [{ slow: false, status: 0, missed: 0 }, true],
] as const)('a device that is %j is polled apart: %s', (parts, slow) => {
  expect(isSlow(entryWith(parts))).toBe(slow)
})
