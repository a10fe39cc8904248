// Traps and informs of a real agent and of Debian's own tools, by the switch of the lab.

import { fleetOf } from '@/server/devices/link/fleet'
import { startLogs } from '@/server/insight/logs/reception'
import { logsInProcess } from '../server/_logs'
import { managerWith, overSnmp } from './_change'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>
let here: string

type Line = { tag: string; text: string; way: string; device: { id: number } | null }
const find = async (search: string) => (await one.ok('logs/find', { search })).lines as Line[]
const found = (search: string) =>
  until(
    async () => {
      const lines = await find(search)
      return lines.length > 0 && lines
    },
    { everyMs: 50 },
  )
const on = async (line: string) => {
  const ran = await lab.sh('sw1', `MIBS= ${line}`)
  if (ran.code !== 0) throw new Error(`${line}: ${ran.stderr}`)
}
const v3 = '-v 3 -l authPriv -u sender-one -a SHA-256 -A sender-auth-key -x AES -X sender-priv-key'
const linkDown = '1.3.6.1.6.3.1.1.5.3'

beforeAll(async () => {
  here = (await lab.up()).addresses.mgr
  await lab.reset('sw1')
  // Nothing is looked at by the clock: what is seen, a trap led to.
  one = await managerWith([await overSnmp()], { fleet: { pollMs: 86_400_000 } })
  startLogs(one.runtime(), { threads: logsInProcess })
  await one.ok('settings/logReception/save', {
    ...{ revision: 0, traps: true, trapUser: 'sender-one', trapAuth: 'sha256' },
    ...{ trapAuthKey: 'sender-auth-key', trapPrivKey: 'sender-priv-key' },
  })
  await until(async () => ((await one.ok('logs/status')).now as { traps: string }).traps === 'listening')
})
afterAll(async () => {
  await lab.sh('sw1', 'rm -f /etc/snmp/snmpd.conf.d/traps.conf')
  await lab.reset('sw1')
  await one?.end()
})

test('snmptrap and snmpinform of every version are found by name', async () => {
  const agent = `1.3.6.1.4.1.8072.4 ${here.replace(/\.\d+$/, '.77')}`
  const engine = '-e 0x8000000001020304'
  for (const [name, line] of [
    ['coldStart', `snmptrap -v 1 -c public ${here} ${agent} 0 0 ''`],
    ['"uplink seven"', `snmptrap -v 2c -c public ${here} '' ${linkDown} 1.3.6.1.2.1.2.2.1.2.7 s 'uplink seven'`],
    ['warmStart', `snmpinform -v 2c -c public ${here} '' 1.3.6.1.6.3.1.1.5.2`],
    ['authenticationFailure', `snmptrap ${v3} ${engine} ${here} '' 1.3.6.1.6.3.1.1.5.5`],
    ['topologyChange', `snmpinform ${v3} ${here} '' 1.3.6.1.2.1.17.0.2`],
  ] as const) {
    await on(line)
    await found(name)
  }
  const lines = await one.ok('logs/find', {})
  expect((lines.lines as Line[]).map(line => [line.way, line.device?.id === one.id]).toSorted()).toEqual([
    ['inform2', true],
    ['inform3', true],
    ['trap1', true],
    ['trap2', true],
    ['trap3', true],
  ])
  expect((await find('coldStart'))[0]?.text).toContain(`agent: ${here.replace(/\.\d+$/, '.77')}`)
})

test('an inform of version 3 with a wrong key is not taken, its sender is told, and the reason is counted', async () => {
  const wrong = v3.replace('sender-auth-key', 'another-auth-key')
  await expect(on(`snmpinform -r 0 -t 1 ${wrong} ${here} '' ${linkDown}`)).rejects.toThrow()
  const refused = async () => {
    const { now } = (await one.ok('logs/status')) as { now: { refusedTraps: Record<string, number> } }
    return now.refusedTraps.digest === 1
  }
  await until(refused)
})

test('a port that goes down on a real agent: its trap is found, and the device is looked at before its next poll', async () => {
  const config = [
    `trap2sink ${here}:162 public`,
    'createUser _internal SHA internal-key-of-it',
    'iquerySecName _internal',
    'rouser _internal auth',
    `notificationEvent lnkdown .${linkDown} -o .1.3.6.1.2.1.2.2.1.1`,
    'monitor -S -r 1 -e lnkdown "lnkdown" .1.3.6.1.2.1.2.2.1.8 == 2',
  ]
  await lab.in('sw1', ['sh', '-c', 'cat >/etc/snmp/snmpd.conf.d/traps.conf'], { input: `${config.join('\n')}\n` })
  await lab.sh('sw1', 'kill $(cat /run/snmpd.pid)')
  // The agent says that it begins.
  await until(async () => (await find('coldStart')).length === 2)
  await until(() => one.known(one.id).then(() => true))
  const state = async () => {
    const reading = await fleetOf(one.runtime()).ask('reading', one.id)
    return reading?.observation?.interfaces?.find(({ name }) => name === 'p4')?.up
  }
  expect(await state()).toBe(true)
  await lab.sh('sw1', 'ip link set p4 down')
  const [line] = await found('linkDown ifIndex')
  expect(line?.text).toMatch(/ifIndex\.\d+: \d+/)
  await until(async () => (await state()) === false, { everyMs: 100 })
  await lab.sh('sw1', 'ip link set p4 up')
})
