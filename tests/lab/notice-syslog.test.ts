// Debian's rsyslog on a station of the lab reads what alerts are told to it, by UDP and TCP.
import { tellLines } from '@/server/notify/targets/lines'
import { systemLookup } from '@/server/notify/webhooks/targets'
import { addressOf, lab, until } from './_lab'

const config = `
module(load="imudp")
module(load="imtcp")
input(type="imudp" port="514")
input(type="imtcp" port="514")
template(name="parts" type="string" string="%syslogfacility-text%.%syslogseverity-text% %app-name% %msgid% %structured-data%%msg%\\n")
*.* action(type="omfile" file="/run/notices/log" template="parts")
`
const start =
  'rm -rf /run/notices && mkdir -p /run/notices && cat >/run/notices/conf && rsyslogd -f /run/notices/conf -i /run/notices/pid </dev/null >/dev/null 2>&1'

let host: string
beforeAll(async () => {
  await lab.up()
  host = await addressOf('c1')
  const { code, stderr } = await lab.in('c1', ['sh', '-c', start], { input: config })
  expect([code, stderr]).toEqual([0, ''])
})
afterAll(() => lab.reset('c1'))

const alert = (text: string) =>
  ({
    id: 7,
    at: Date.now(),
    level: 5,
    type: 'deviceOffline',
    text,
    device: 'sw"1"',
    network: 'Quay',
    link: '',
  }) as const
const tell = (protocol: 'udp' | 'tcp', text: string) =>
  tellLines(
    { name: 'Log', enabled: true, service: 'syslog', host, port: 514, protocol, level: '15' },
    { id: 'x', notice: { what: '', subject: '', alerts: [alert(text)], more: 0 } },
    { allowed: [`${host}/32`], lookup: systemLookup, limitMs: 5000, stop: new AbortController().signal },
  )

test.each(['udp', 'tcp'] as const)('by %s it has facility, severity, type and parts of each alert', async protocol => {
  const text = `sw1 is offline, by ${protocol}`
  const line = `local0.crit lanward deviceOffline [lanward@32473 alert="7" level="emergency" device="sw\\"1\\"" network="Quay"]${text}`
  await until(async () => (await tell(protocol, text)).error === '')
  const heard = async () =>
    (await lab.in('c1', ['cat', '/run/notices/log'])).stdout.split('\n').map(one => one.replace('] ', ']'))
  await until(async () => (await heard()).some(one => one.endsWith(text)))
  expect(await heard()).toContain(line)
})
