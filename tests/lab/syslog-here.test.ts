// A real rsyslog of a device sends here over TLS, and trusts nobody but the manager's own certificate.
import { loadTls, makeCertificate } from '@/appliance/http/tls'
import { startLogs } from '@/server/insight/logs/reception'
import { logsInProcess } from '../server/_logs'
import { managerWith, overSsh } from './_change'
import { apply } from './_firewall'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>
let here: string
let ca: string
const name = 'logs.lab.test'

type Line = { tag: string; text: string; way: string; device: { id: number } | null }
type Now = { tls: unknown; badTls: number; unknown: number }
const find = async (search: string) => (await one.ok('logs/find', { search })).lines as Line[]
const now = async () => (await one.ok('logs/status')).now as Now
const say = (text: string) => lab.in('ap1', ['logger', '-p', 'user.err', '-t', 'lab', text])
const system = (more: object = {}) => ({
  ...{ id: 'system', kind: 'system', name: '' },
  data: { syslog: 'tls', syslogHost: here, syslogPort: 6514, syslogCa: ca, syslogPeer: name, ...more },
})

beforeAll(async () => {
  here = (await lab.up()).addresses.mgr
  await lab.reset('ap1')
  one = await managerWith([await overSsh('ap1', 'ap')])
  const { data } = one.runtime().config
  startLogs(one.runtime(), { threads: logsInProcess })
  await one.ok('settings/logReception/save', { revision: 0, tls: true, tlsPort: 6514 })
  await until(async () => JSON.stringify((await now()).tls) === '{"error":"noCertificate"}')
  ca = (await loadTls(data, [name])).cert
  process.emit('lanward:certificate' as never)
  await until(async () => (await now()).tls === 'listening')
})
afterAll(async () => {
  await lab.reset('ap1')
  await one?.end()
})

test('lines of rsyslog over TLS are found, with the way they came', async () => {
  expect(await apply('ap1', system())).toEqual([])
  await until(async () => {
    await say('is-it-there')
    return (await find('is-it-there')).length > 0
  })
  await say('over-tls')
  const [line] = await until(
    async () => {
      const lines = await find('"over-tls"')
      return lines.length > 0 && lines
    },
    { everyMs: 50 },
  )
  expect(line).toMatchObject({ tag: 'lab', way: 'tls', device: { id: one.id } })
})

test('TLS garbage and a sender that does not trust the certificate are counted, and the others go on', async () => {
  const before = (await now()).badTls
  await lab.sh(
    'ap1',
    `bash -c 'head -c 60000 /dev/urandom >/dev/tcp/${here}/6514; echo "<13>x: plain" >/dev/tcp/${here}/6514'`,
  )
  await until(async () => (await now()).badTls >= before + 2)
  const stranger = (await makeCertificate([name])).cert
  await lab.in('ap1', ['sh', '-c', 'cat >/run/stranger.crt'], { input: stranger })
  const told = await lab.sh(
    'ap1',
    `openssl s_client -connect ${here}:6514 -CAfile /run/stranger.crt -verify_return_error </dev/null 2>&1`,
  )
  expect(told.stdout).toMatch(/self-signed|verify error/)
  await say('still-there')
  await until(async () => (await find('"still-there"')).length > 0)
  await apply('ap1')
})
