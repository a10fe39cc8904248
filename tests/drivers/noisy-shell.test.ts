// Accounts whose shell prints something of its own as it starts, as a line in ~/.bashrc does: a real sh behind a real SSH server.
import { spawnSync } from 'node:child_process'
import type { DeviceError } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { chooseDriver } from '@/server/drivers/registry/registry'
import { connectSsh } from '@/server/drivers/ssh/ssh'
import { probeSystem } from '@/server/drivers/unix/probe'
import { identify } from '@/server/worker/identify'
import { type SshServer, startSshServer } from './ssh-server'

const never = new AbortController().signal
let server: SshServer | undefined
afterEach(() => server?.close())

/** Each command is run by a shell that begins with these lines, as the account's own would. */
async function device(begins: string) {
  server = await startSshServer({
    auth: () => true,
    exec: command => {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', `${begins}\n${command}`], { encoding: 'utf8' })
      return { stdout, stderr, code: status ?? 1 }
    },
  })
  const credential = { type: 'ssh', user: 'root', password: 'x' } as const
  return { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
}
const debian = `uname() { echo Linux; }
id() { case $1 in -u) echo 0;; *) echo root;; esac; }
cat() { [ "$1" != /etc/os-release ] || printf 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\\nID=debian\\n'; }`

test.each([
  ['nothing', ':'],
  ['a line', 'echo Welcome to the gateway of hall 2'],
  ['a line on its error output', 'echo Welcome >&2'],
  ['three lines', 'echo; echo Linux 1; echo 0'],
  ['a line without an end', 'printf Welcome'],
])('a shell that prints %s: the system and the account are known', async (_, line) => {
  const target = await device(`${debian}\n${line}`)
  const session = await connectSsh(target, never)
  const system = await probeSystem(session)
  session.close()
  expect(system).toMatchObject({ ID: 'debian', kernel: 'Linux' })
  expect(chooseDriver({ system }, 'ssh')).toBe(linuxDriver)
  const linux = await linuxDriver.connect(target, never)
  linuxDriver.close(linux)
  expect(linux.become).toBe('')
})

test('another system is refused, and what it said of itself is told', async () => {
  const target = await device(`uname() { echo FreeBSD; }\ncat() { echo 'PRETTY_NAME="FreeBSD 14"'; }\necho Linux`)
  await expect(identify(target, never, () => undefined)).rejects.toMatchObject({
    reason: 'unsupported',
    detail: 'FreeBSD 14; uname -s: FreeBSD',
  } satisfies Partial<DeviceError>)
})

test('a shell that ends by itself, with a menu in place of a command, is no Linux', async () => {
  const target = await device('echo Linux; exit 0')
  await expect(identify(target, never, () => undefined)).rejects.toMatchObject({ reason: 'unsupported' })
  await expect(linuxDriver.connect(target, never)).rejects.toMatchObject({ reason: 'unsupported' })
})
