// Debian's own mail server takes the manager's letters: with TLS, refusing at first, and over a manager that was killed.
import { clientOf } from '../soak/client'
import { prepareWizard, signIn } from '../soak/kills'
import { owner } from '../soak/owner'
import { addressOf, type LabManager, lab, manager, until } from './_lab'

/** Exim for lab.test alone; it takes nothing while /run/refuse is there. Letters are files below /var/spool/letters. */
const config = `
primary_hostname = mail.lab.test
domainlist local_domains = lab.test
acl_smtp_rcpt = rcpt
tls_advertise_hosts = *
tls_certificate = /etc/exim4/own.crt
tls_privatekey = /etc/exim4/own.key
begin acl
rcpt:
  defer condition = \${if exists{/run/refuse}}
        message = come again later
  accept domains = +local_domains
  deny message = relay not permitted
begin routers
here:
  driver = accept
  domains = +local_domains
  transport = letters
begin transports
letters:
  driver = appendfile
  directory = /var/spool/letters
  maildir_format
  create_directory
  user = Debian-exim
`
const start = `
set -e
cat >/etc/exim4/exim4.conf
cd /etc/exim4
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=mail.lab.test \\
  -keyout own.key -out own.crt 2>/dev/null
mkdir -p /var/spool/letters
chown Debian-exim own.key own.crt /var/spool/letters
exim4 -bd </dev/null >/dev/null 2>&1
`

let one: LabManager
let client: ReturnType<typeof clientOf>
let server: Record<string, unknown>

const inside = async (line: string, input = '') => {
  const { code, stdout, stderr } = await lab.in('c1', ['sh', '-c', line], { input })
  if (code !== 0) throw new Error(`${line}: ${stderr}`)
  return stdout.trim()
}
/** What lies in the mailbox: the letters, one after the other. */
const letters = () => inside('find /var/spool/letters/new -type f -exec cat {} + 2>/dev/null || true')

beforeAll(async () => {
  await lab.up()
  await inside(start, config)
  server = {
    host: await addressOf('c1'),
    port: 25,
    security: 'starttls',
    from: 'nms@lab.test',
    publicUrl: 'https://nms.lab.test:8443',
  }
  one = await manager({ env: { LANWARD_SETUP_CODE: 'off' } })
  client = clientOf(one.local)
  await prepareWizard(client, 'Quay')
  const { account, password } = owner
  await client.must('wizard/account', { step: 'account', account, email: 'marta@lab.test', password, repeat: password })
  await client.must('wizard/finish')
})
afterAll(async () => {
  await one?.end()
  await lab.reset('c1')
})

const sendTest = (more: Record<string, unknown>) =>
  client.must('system-settings/test-email', { ...server, to: 'ana@lab.test', ...more })

test('a certificate that nobody signed is refused unless that is allowed; then the letter comes by TLS', async () => {
  await expect(sendTest({})).rejects.toThrow(/certificate/i)
  expect(await letters()).toBe('')
  expect((await sendTest({ verify: false })).response).toMatch(/^250 /)
  const seen = await until(async () => (await letters()).includes('This is a test message') && letters())
  expect(seen).toMatch(/with esmtps/)
  expect(seen).toContain('To: ana@lab.test')
})

test('what the server says of a stranger is told word for word', async () => {
  await expect(sendTest({ verify: false, to: 'ana@elsewhere.test' })).rejects.toThrow(/relay not permitted/)
})

test('refused at first, the manager killed in between: the letter comes, and its link sets a password', async () => {
  const waiting = async () =>
    ((await client.must('mail/list')) as { result: { id: number; recipient: string; error: string }[] }).result
  await inside('touch /run/refuse')
  await client.must('system-settings/smtp/save', { ...server, verify: false })
  await client.must('auth/forgot-password', { account: owner.account })
  const [row] = await until(async () => {
    const rows = await waiting()
    return rows[0]?.error.includes('come again later') && rows
  })
  expect(row?.recipient).toBe('marta@lab.test')
  await one.kill9()
  await one.restart()
  const [kept] = await waiting()
  expect(kept?.id).toBe(row?.id)
  await inside('rm /run/refuse')
  await client.must('mail/retry', { ids: [kept?.id] })
  const link = /https:\/\/nms\.lab\.test:8443\/login\/reset-password#([\w-]{43})/
  const text = await until(async () => {
    const seen = (await letters()).replace(/=\r?\n/g, '')
    return link.test(seen) && seen
  })
  await until(async () => (await waiting()).length === 0)
  const fresh = 'Harb0ur-Gate!'
  const token = link.exec(text)?.[1] ?? ''
  await client.must('auth/reset-password', { token, password: fresh, repeat: fresh })
  await expect(signIn(client)).rejects.toThrow('1110003')
})
