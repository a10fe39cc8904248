/**
 * Debian's rsyslog as a log server on a station of the lab, with TLS by an authority of its own. It asks nobody for a
 * certificate, as log servers commonly do.
 */
import { addressOf, lab, until } from './_lab'

const config = `
global(maxMessageSize="8k" workDirectory="/run")
module(load="imtcp" StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon")
global(
  DefaultNetstreamDriverCAFile="/run/tls/ca.crt"
  DefaultNetstreamDriverCertFile="/run/tls/own.crt"
  DefaultNetstreamDriverKeyFile="/run/tls/own.key"
)
input(type="imtcp" port="6514")
template(name="plain" type="string" string="%HOSTNAME% %syslogseverity-text% %syslogtag%%msg%\\n")
*.* action(type="omfile" file="/run/tls/log" template="plain")
`
const prepare = (name: string, address: string) => `
set -e
rm -rf /run/tls && mkdir -p /run/tls && cd /run/tls
cat >rsyslog.conf
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30'
for who in ca stranger; do openssl req -x509 $key -subj /CN=$who -keyout $who.key -out $who.crt 2>/dev/null; done
openssl req -x509 $key -subj /CN=${name} -addext subjectAltName=DNS:${name},IP:${address} \\
  -addext basicConstraints=critical,CA:FALSE -CA ca.crt -CAkey ca.key -keyout own.key -out own.crt 2>/dev/null
: >log
rsyslogd -f /run/tls/rsyslog.conf -i /run/tls/pid </dev/null >/dev/null 2>&1
`

async function inside(line: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await lab.in('c1', ['sh', '-c', line], { input })
  if (code !== 0) throw new Error(`${line}: ${stderr}`)
  return stdout.trim()
}

export type LogServer = {
  host: string
  port: number
  /** The name in its certificate. */
  name: string
  /** PEM: of who signed its certificate, and of somebody else. */
  ca: string
  stranger: string
  /** What it was told, a line a message: host, level, tag and text. */
  lines(): Promise<string[]>
}

/** `lab.reset('c1')` takes all of it away. */
export async function startLogServer(): Promise<LogServer> {
  await lab.up()
  const host = await addressOf('c1')
  const name = 'log.lab.test'
  await inside(prepare(name, host), config)
  await until(() =>
    inside('ss -ltn 2>/dev/null | grep -q :6514 || grep -qi ":1972 " /proc/net/tcp /proc/net/tcp6').then(() => true),
  )
  const pem = (file: string) => inside(`cat /run/tls/${file}.crt`)
  const lines = async () => (await inside('cat /run/tls/log')).split('\n')
  return { host, name, port: 6514, ca: await pem('ca'), stranger: await pem('stranger'), lines }
}
