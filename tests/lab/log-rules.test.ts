// A gateway's own rsyslog sends a line that a log rule looks for: the alert stands.
import { startLogs } from '@/server/insight/logs/reception'
import { logsInProcess } from '../server/_logs'
import { managerWith, overSsh } from './_change'
import { apply } from './_firewall'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>

type Row = { type: string; level: number; recoveredAt: number | null; values: Record<string, unknown> }
const say = (text: string, priority = 'auth.warning') => lab.in('gw', ['logger', '-p', priority, '-t', 'door', text])
const found = async (search: string) => ((await one.ok('logs/find', { search })).lines as object[]).length > 0
const raised = async () => ((await one.ok('alerts/list')).result as Row[]).filter(row => row.type === 'logRule')

beforeAll(async () => {
  const here = (await lab.up()).addresses.mgr
  await lab.reset('gw')
  one = await managerWith([await overSsh('gw', 'gateway')])
  startLogs(one.runtime(), { threads: logsInProcess })
  await one.ok('settings/logReception/save', { revision: 0, protocol: 'both' })
  await until(async () => ((await one.ok('logs/status')).now as { tcp: unknown }).tcp === 'listening')
  const data = { syslog: 'tcp', syslogHost: here, syslogPort: 514 }
  expect(await apply('gw', { id: 'system', kind: 'system', name: '', data })).toEqual([])
  await until(async () => {
    await say('is-it-there')
    return await found('"is-it-there"')
  })
})
afterAll(async () => {
  await lab.reset('gw')
  await one?.end()
})

test('the alert stands with the third line, once however many follow', async () => {
  await one.ok('settings/logRule/save', {
    ...{ name: 'Door', text: 'door*wrong code * at the gate', severity: '4', facility: 'auth' },
    ...{ count: 3, minutes: 5, level: '5', message: 'Somebody tries codes' },
  })
  expect(await one.ok('logs/matches', { text: 'is-it-there' })).toMatchObject({ devices: 1 })
  // Too little to be meant: another facility, another severity, another text. By then the rule is known.
  await say('wrong code 1 at the gate', 'user.warning')
  await say('wrong code 2 at the gate', 'auth.info')
  for (let at = 0; at < 3; at++) await say(`right code ${at} at the gate`)
  await say('wrong code 3 at the gate')
  await say('wrong code 4 at the gate')
  await until(() => found('"wrong code 4"'))
  expect(await raised()).toEqual([])
  await say('wrong code 5 at the gate')
  const [row] = await until(
    async () => {
      const rows = await raised()
      return rows.length > 0 && rows
    },
    { everyMs: 50 },
  )
  expect(row).toMatchObject({ level: 5, recoveredAt: null, values: { message: 'Somebody tries codes', device: 'gw' } })
  await lab.in('gw', [
    'sh',
    '-c',
    'for at in $(seq 500); do echo "wrong code $at at the gate"; done | logger -p auth.warning -t door',
  ])
  await until(async () => {
    await say('after the flood')
    return await found('"after the flood"')
  })
  expect(await raised()).toHaveLength(1)
})
