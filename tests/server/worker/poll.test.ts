import { createServer, type Server } from 'node:net'
import { DeviceError, type Driver } from '@/server/drivers/driver'
import { poll } from '@/server/worker/poll'
import { device, driverWith, entryWith, newLedger } from './_entry'

const fullEveryMs = 300_000
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A port that takes connections, and says nothing. */
async function openPort(): Promise<number> {
  const server = createServer(socket => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise(done => server.once('listening', done))
  const at = server.address()
  return typeof at === 'object' && at ? at.port : 0
}

/** An entry whose driver notes what is asked of it. */
function setUp(parts: Partial<Driver<unknown>> = {}, state: Parameters<typeof entryWith>[0] = {}) {
  const asked: string[] = []
  const driver = driverWith({
    connect: async () => {
      asked.push('connect')
      return 'session'
    },
    observe: async (_, depth) => {
      asked.push(depth)
      return { takenAt: Date.now(), depth }
    },
    ...parts,
  })
  return { entry: entryWith(state, driver), asked, ledger: newLedger() }
}

test('a full reading first, the counters while it is young, a full one when it is five minutes old', async () => {
  const { entry, asked, ledger } = setUp()
  await poll(entry, ledger, fullEveryMs)
  await poll(entry, ledger, fullEveryMs)
  entry.fullAt = Date.now() - fullEveryMs
  await poll(entry, ledger, fullEveryMs)
  expect(asked).toEqual(['connect', 'full', 'counters', 'full'])
  expect(entry).toMatchObject({ rounds: 3, answered: 3, status: 1 })
  expect(ledger.stats).toMatchObject({ rounds: 3, answered: 3 })
})

test('in its quiet time an SNMP device is asked the one GET over a new connection, and is read when somebody asks', async () => {
  const { entry, asked, ledger } = setUp({}, { quietUntil: Date.now() + 60_000, quietMs: 60_000, status: 1 })
  entry.session = { value: 'old', usedAt: 0 }
  await poll(entry, ledger, fullEveryMs)
  expect(asked).toEqual(['connect'])
  await poll(entry, ledger, fullEveryMs, 'full')
  expect(asked).toEqual(['connect', 'full'])
  expect(entry).toMatchObject({ quietUntil: 0, quietMs: 0 })
})

test('in its quiet time an SSH device is only connected to by TCP: nobody logs in', async () => {
  const { entry, asked, ledger } = setUp(
    { protocol: 'ssh' },
    { quietUntil: Date.now() + 60_000, quietFor: 'login', reason: 'credentials', status: 1 },
  )
  const { target } = entry.device
  entry.device = device(1, { target: { ...target, port: await openPort() } })
  await poll(entry, ledger, fullEveryMs)
  expect(asked).toEqual([])
  expect(entry).toMatchObject({ missed: 1, reason: 'credentials' })
})

test('where nothing takes the connection any more, that is the reason', async () => {
  const port = await openPort()
  for (const server of servers.splice(0)) await new Promise(done => server.close(done))
  const { entry, ledger } = setUp({ protocol: 'ssh' }, { quietUntil: Date.now() + 60_000, reason: 'credentials' })
  entry.device = device(1, { target: { ...entry.device.target, port } })
  await poll(entry, ledger, fullEveryMs)
  expect(entry).toMatchObject({ missed: 1, reason: 'refused' })
})

const fails: Driver<unknown>['observe'] = async () => {
  throw new DeviceError('closed')
}

test('a reading that fails over the pooled session is a miss, over a new one the device is there', async () => {
  const pooled = setUp({ observe: fails }, { status: 1, session: { value: 'old', usedAt: 0 } })
  await poll(pooled.entry, pooled.ledger, fullEveryMs)
  expect(pooled.entry).toMatchObject({ missed: 1, quietMs: 0, session: undefined })
  const fresh = setUp({ observe: fails }, { status: 1 })
  await poll(fresh.entry, fresh.ledger, fullEveryMs)
  expect(fresh.entry).toMatchObject({ missed: 0, answered: 1, reason: 'closed', quietFor: 'walk', session: undefined })
})

test('a refused SSH login is not tried again soon, a refused SNMP community is', async () => {
  const connect = async () => {
    throw new DeviceError('credentials')
  }
  const ssh = setUp({ protocol: 'ssh', connect })
  await poll(ssh.entry, ssh.ledger, fullEveryMs)
  expect(ssh.entry).toMatchObject({ missed: 1, reason: 'credentials', quietFor: 'login', quietMs: 120_000 })
  const snmp = setUp({ connect })
  await poll(snmp.entry, snmp.ledger, fullEveryMs)
  expect(snmp.entry).toMatchObject({ missed: 1, reason: 'credentials', quietMs: 0 })
})

test('a device that is removed while it is read keeps no session and is told of no more', async () => {
  const closed: unknown[] = []
  const { entry, ledger } = setUp({
    close: session => void closed.push(session),
    observe: async (_, depth) => {
      entry.gone = true
      return { takenAt: Date.now(), depth }
    },
  })
  await poll(entry, ledger, fullEveryMs)
  expect(closed).toEqual(['session'])
  expect([entry.answered, entry.missed, ledger.told.length]).toEqual([0, 0, 0])
})

test('a reading with problems keeps the reason that was told of it', async () => {
  const { entry, ledger } = setUp(
    {
      observe: async (_, depth) => ({ takenAt: Date.now(), depth, problems: [{ part: 'bss', reason: 'malformed' }] }),
    },
    { status: 1, reason: 'noView' },
  )
  await poll(entry, ledger, fullEveryMs)
  expect(entry.reason).toBe('noView')
})
