import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { apply } from './_firewall'
import { lab, until } from './_lab'
import { type LogServer, startLogServer } from './_log-server'

// A real log server beside the devices: what reaches it, over TLS, and what does not.

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(async () => {
  await lab.reset('ap1')
  await lab.reset('c1')
})

const system = (more: object = {}) => ({
  ...{ id: 'system', kind: 'system', name: '' },
  data: {
    syslog: 'tls',
    syslogHost: server.host,
    syslogPort: server.port,
    syslogCa: server.ca,
    syslogPeer: server.name,
    ...more,
  },
})
const say = (level: string, text: string) => lab.in('ap1', ['logger', '-p', `user.${level}`, '-t', 'lab', text])
const heard = async (text: string) => (await server.lines()).some(line => line.includes(text))

/** What the device says of the settings once it has them, and whether it tells the server anything; undone afterwards. */
async function tried(more: object): Promise<unknown> {
  return on('ap1', async session => {
    const { next, warnings } = await plan(session, [system(more)])
    expect(warnings).toEqual([])
    const pending = await push(session, next, 120)
    const problems = await driver.selfCheck(session, next)
    await say('crit', 'to-nobody')
    await driver.revert(session, pending)
    return problems
  })
}

test('over TLS the server gets what is at the level or above, and nothing below', async () => {
  expect(await apply('ap1', system({ syslogLevel: 'warning' }))).toEqual([])
  await say('debug', 'below-1')
  await say('notice', 'below-2')
  await say('warning', 'at-the-level')
  await say('alert', 'above')
  await until(() => heard('above'))
  const told = (await server.lines()).filter(line => line.includes(' lab'))
  expect(told).toEqual(['ap1 warning lab at-the-level', 'ap1 alert lab above'])
  await apply('ap1', system({ syslogLevel: 'none' }))
  await say('emerg', 'of-level-none')
  await until(async () => (await lab.sh('ap1', 'grep of-level-none /var/log/user.log')).code === 0)
  await apply('ap1', system())
  await say('debug', 'all-of-it')
  await until(() => heard('all-of-it'))
  expect(await heard('of-level-none')).toBe(false)
  expect(await heard('below')).toBe(false)
  await apply('ap1')
})

test('a server that another authority signed, or that has another name, is told nothing, and the push says why', async () => {
  const refused = (error: RegExp) => [
    { code: 'syslogRefused', kind: 'system', document: 'system', values: { error: expect.stringMatching(error) } },
  ]
  expect(await tried({ syslogCa: server.stranger })).toEqual(refused(/issuer|self-signed|signature/))
  expect(await tried({ syslogPeer: 'other.lab.test' })).toEqual(refused(/hostname mismatch/i))
  expect(await heard('to-nobody')).toBe(false)
})

test('while the server is away messages wait, and they arrive over TLS once it is back', async () => {
  await lab.sh('c1', 'kill $(cat /run/tls/pid); while [ -e /run/tls/pid ]; do sleep 0.1; done')
  expect(await apply('ap1', system({ syslogLevel: 'error' }))).toEqual([])
  await say('err', 'while-it-was-away')
  await lab.sh('c1', 'rsyslogd -f /run/tls/rsyslog.conf -i /run/tls/pid </dev/null >/dev/null 2>&1')
  await until(() => heard('while-it-was-away'))
  await apply('ap1')
})
