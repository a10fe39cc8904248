import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type ServerChannel, utils } from 'ssh2'
import type { Target } from '@/server/drivers/driver'
import { connectSsh, fingerprint, type SshSession } from '@/server/drivers/ssh/ssh'
import { slowLinkSeconds, undoable } from '@/server/drivers/unix/undoable'
import { newKey, type Options, type SshServer, startSshServer } from './ssh-server'

const never = new AbortController().signal
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function ssh(options: Options = {}): Promise<SshServer> {
  const server = await startSshServer(options)
  ends.push(server.close)
  return server
}

/** A TCP server that is no good SSH server. */
async function tcp(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

type Login = { password?: string; privateKey?: string; passphrase?: string }
const to = (port: number, hostKey?: string, login: Login = { password: 'secret' }): Target => ({
  address: '127.0.0.1',
  port,
  hostKey,
  credential: { type: 'ssh', user: 'admin', ...login },
})
async function open(server: SshServer, login?: Login) {
  const session = await connectSsh(to(server.port, server.fingerprint, login), never)
  ends.push(async () => session.close())
  return session
}
const anyPassword: Options['auth'] = context => context.method === 'password'

test.each([
  ['dropbear_2022.83', 1],
  ['OpenSSH_9.9', 6],
])('%s is asked for %i commands at a time', async (ident, most) => {
  const waiting: (() => void)[] = []
  let running = 0
  let seen = 0
  const end = (channel: ServerChannel) => {
    running--
    channel.exit(0)
    channel.end()
  }
  const server = await ssh({
    ident,
    auth: () => true,
    exec: (_command, channel) => {
      seen = Math.max(seen, ++running)
      waiting.push(() => end(channel))
      // Once as many run as may, they take a while, in which others would come.
      if (waiting.length === most) for (const one of waiting.splice(0)) setTimeout(one, 20)
      return undefined
    },
  })
  const session = await open(server)
  const ran = await Promise.all(Array.from({ length: 12 }, () => session.exec('echo')))
  expect(ran.map(one => one.code)).toEqual(Array(12).fill(0))
  expect(seen).toBe(most)
})

describe('before the login', () => {
  test('an unknown host key is shown and nothing is sent', async () => {
    const server = await ssh({ auth: () => true })
    await expect(connectSsh(to(server.port), never)).rejects.toMatchObject({
      reason: 'hostKeyUnknown',
      detail: server.fingerprint,
    })
    expect(server.attempts).toEqual([])
  })

  test('a changed host key is refused before any credential is sent', async () => {
    const first = await ssh()
    const second = await ssh({ auth: () => true })
    await expect(connectSsh(to(second.port, first.fingerprint), never)).rejects.toMatchObject({
      reason: 'hostKeyChanged',
      detail: second.fingerprint,
    })
    expect(second.attempts).toEqual([])
  })

  test('banner and host key without logging in', async () => {
    const server = await ssh()
    expect(await fingerprint('127.0.0.1', server.port, never)).toEqual({
      banner: 'SSH-2.0-dropbear_2024.86',
      hostKey: server.fingerprint,
    })
    expect(server.attempts).toEqual([])
  })

  test('a closed port', async () => {
    const port = await tcp(() => undefined)
    await ends.pop()?.()
    await expect(fingerprint('127.0.0.1', port, never)).rejects.toMatchObject({ reason: 'refused' })
  })

  test.each([
    ['at once', (socket: Socket) => socket.destroy()],
    ['after its banner', (socket: Socket) => socket.end('SSH-2.0-dropbear\r\n')],
  ])('closed in the handshake: %s', async (_name, serve) => {
    const port = await tcp(socket => void serve(socket))
    await expect(connectSsh(to(port, 'SHA256:x'), never)).rejects.toMatchObject({ reason: 'closed' })
    await expect(fingerprint('127.0.0.1', port, never)).rejects.toMatchObject({ reason: 'closed' })
  })

  test.each([
    ['a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(50)],
    ['endless banner', 'x'.repeat(100_000)],
    ['garbage after the banner', `SSH-2.0-x\r\n${'\x7f'.repeat(5_000)}`],
    ['an SSH 1 server', 'SSH-1.5-old\r\n'],
  ])('no SSH: %s', async (_name, words) => {
    const port = await tcp(socket => void (words.startsWith('HTTP') ? socket.end(words) : socket.write(words)))
    await expect(fingerprint('127.0.0.1', port, never)).rejects.toMatchObject({ reason: 'malformed' })
  })

  test.each(['Not allowed at this time', 'Exceeded MaxStartups'])(
    'an SSH server that refuses for now: %s',
    async line => {
      const port = await tcp(socket => void socket.end(`${line}\r\n`))
      const refused = { reason: 'refusing', detail: line }
      await expect(fingerprint('127.0.0.1', port, never)).rejects.toMatchObject(refused)
      await expect(connectSsh(to(port, 'SHA256:x'), never)).rejects.toMatchObject(refused)
    },
  )

  test('cancelled while the other end says nothing', async () => {
    const port = await tcp(() => undefined)
    const stop = new AbortController()
    const asked = fingerprint('127.0.0.1', port, stop.signal)
    setTimeout(() => stop.abort(), 50)
    await expect(asked).rejects.toMatchObject({ reason: 'cancelled' })
    await expect(fingerprint('127.0.0.1', port, stop.signal)).rejects.toMatchObject({ reason: 'cancelled' })
  })

  test('a key that cannot be read is told before a packet is sent', async () => {
    const locked = utils.generateKeyPairSync('ed25519', {
      passphrase: 'right',
      cipher: 'aes256-ctr',
      rounds: 4,
    }).private
    const port = await tcp(() => undefined)
    for (const login of [{ privateKey: 'no key' }, { privateKey: locked, passphrase: 'wrong' }])
      await expect(connectSsh(to(port, 'SHA256:x', login), never)).rejects.toMatchObject({ reason: 'credentials' })
  })
})

describe('algorithms', () => {
  const rsa = () => utils.generateKeyPairSync('rsa', { bits: 2048 }).private

  test('old firmware is reached with what it has', async () => {
    const server = await ssh({
      key: rsa(),
      auth: anyPassword,
      exec: () => ({ stdout: 'old' }),
      algorithms: {
        kex: ['diffie-hellman-group14-sha1'],
        serverHostKey: ['ssh-rsa'],
        cipher: ['aes128-cbc'],
        hmac: ['hmac-sha1'],
      },
    })
    expect(await (await open(server)).exec('id')).toMatchObject({ stdout: 'old' })
  })

  test('no algorithm in common is told as that', async () => {
    const server = await ssh({ algorithms: { kex: ['diffie-hellman-group1-sha1'] } })
    await expect(fingerprint('127.0.0.1', server.port, never)).rejects.toMatchObject({ reason: 'unsupported' })
  })
})

describe('the login', () => {
  test('a wrong password', async () => {
    const server = await ssh()
    const failed = connectSsh(to(server.port, server.fingerprint), never)
    await expect(failed).rejects.toMatchObject({ reason: 'credentials' })
    await expect(failed).rejects.not.toThrow(/secret/)
    expect(server.attempts).toEqual(['none', 'password:secret'])
  })

  test('the key first, then the password', async () => {
    const server = await ssh({ auth: anyPassword })
    const session = await open(server, { privateKey: newKey(), password: 'secret' })
    expect(session.method).toBe('password')
    expect(server.attempts).toEqual(['none', 'publickey', 'password:secret'])
  })

  test('a key that is accepted keeps the password at home', async () => {
    const server = await ssh({ auth: context => context.method === 'publickey' })
    const session = await open(server, { privateKey: newKey(), password: 'secret' })
    expect(session.method).toBe('publickey')
    expect(server.attempts.join()).not.toContain('secret')
  })

  test('a device without a password says so', async () => {
    const server = await ssh({ auth: context => context.method === 'none' })
    const session = await open(server)
    expect(session.method).toBe('none')
    expect(server.attempts).toEqual(['none'])
  })

  test('a password is not sent to a device that takes keys only', async () => {
    const server = await ssh({ offers: ['publickey'] })
    await expect(connectSsh(to(server.port, server.fingerprint), never)).rejects.toMatchObject({
      reason: 'credentials',
    })
    expect(server.attempts).toEqual(['none'])
  })
})

describe('commands', () => {
  test('output, error and status apart; standard input arrives whole', async () => {
    const server = await ssh({
      auth: anyPassword,
      exec: (command, channel, input) => {
        if (command === 'fail') return { stdout: 'a', stderr: 'b', code: 3 }
        void input.then(text => {
          channel.write(String(text.length))
          channel.exit(0)
          channel.end()
        })
      },
    })
    const session = await open(server)
    expect(await session.exec('fail')).toEqual({ code: 3, stdout: 'a', stderr: 'b' })
    const big = 'x'.repeat(3_000_000)
    expect(await session.exec('count', { input: big })).toEqual({ code: 0, stdout: '3000000', stderr: '' })
  })

  test('a shell that hangs', async () => {
    const server = await ssh({ auth: anyPassword, exec: () => undefined })
    const session = await open(server)
    await expect(session.exec('sleep', { timeoutMs: 100 })).rejects.toMatchObject({ reason: 'timeout' })
    expect(session.closed).toBe(true)
    await expect(session.exec('id')).rejects.toMatchObject({ reason: 'closed' })
  })

  test('output without an end', async () => {
    let written = 0
    const server = await ssh({
      auth: anyPassword,
      exec: (_command, channel) => {
        const more = () => {
          while (!channel.destroyed && channel.write('y'.repeat(16_384))) written += 16_384
        }
        channel.on('drain', more)
        more()
        return undefined
      },
    })
    const session = await open(server)
    await expect(session.exec('yes', { maxBytes: 1_000_000 })).rejects.toMatchObject({ reason: 'tooLarge' })
    expect(session.closed).toBe(true)
    expect(written).toBeLessThan(16_000_000)
  })

  test('the device hangs up in the middle', async () => {
    const server = await ssh({
      auth: anyPassword,
      exec: (_command, channel, _input, connection) => {
        channel.write('half')
        setTimeout(() => connection.end(), 20)
        return undefined
      },
    })
    const session = await open(server)
    await expect(session.exec('cat')).rejects.toMatchObject({ reason: 'closed' })
  })

  test.each(['channel', 'command'] as const)(
    'the device hangs up instead of answering the request: %s',
    async hangsUp => {
      const session = await open(await ssh({ auth: anyPassword, hangsUp }))
      await expect(session.exec('id')).rejects.toMatchObject({ reason: 'closed' })
    },
  )

  test.each([
    [undefined, 1],
    ['snapshot', 2],
    ['timer', 3],
    ['apply', 4],
  ])('a change whose script ends without a status lost its link: %s', async (step, last) => {
    const steps: string[] = []
    const server: SshServer = await ssh({
      auth: anyPassword,
      exec: (_command, channel) => {
        if (server.commands.length < last) return { code: 0 }
        channel.close()
      },
    })
    const session = await open(server)
    const script = (_session: SshSession, text: string) => session.exec('sh -s', { input: text })
    const { push } = undoable<SshSession>({ driver: 'linux', script, disarm: '' })
    const plan = (id: string) => ({
      id,
      confirmSeconds: 4,
      leaves: false,
      files: [],
      writes: [],
      apply: '',
      settle: '',
      arm: '',
      disarm: '',
    })
    const events = { pending: async () => undefined, step: (name: string) => void steps.push(name) }
    await expect(push(session, 4, plan, events)).rejects.toMatchObject({ reason: 'closed' })
    expect(steps.at(-1)).toBe(step)
  })

  test('over a slow link the window is longer, and the device is told the same one', async () => {
    const server: SshServer = await ssh({
      auth: anyPassword,
      exec: (_command, channel) => {
        const end = () => {
          channel.exit(0)
          channel.end()
        }
        setTimeout(end, server.commands.length === 1 ? 1_100 : 0)
        return undefined
      },
    })
    const session = await open(server)
    const script = (_session: SshSession, text: string) => session.exec('sh -s', { input: text })
    const { push } = undoable<SshSession>({ driver: 'linux', script, disarm: '' })
    const told: number[] = []
    const plan = (id: string, confirmSeconds: number) => {
      told.push(confirmSeconds)
      return { id, confirmSeconds, leaves: false, files: [], writes: [], apply: '', settle: '', arm: '', disarm: '' }
    }
    const pending = await push(session, 60, plan, { pending: async () => undefined, step: () => undefined })
    expect(pending.confirmSeconds).toBeGreaterThan(100)
    expect(told).toEqual([pending.confirmSeconds])
  })

  test.each([
    [5, 0],
    [500, 0],
    [600, 8],
    [1_600, 88],
    [60_000, 600],
  ])('a question that takes %i ms makes the window %i s longer', (ms, seconds) =>
    expect(slowLinkSeconds(ms)).toBe(seconds),
  )

  test('a command can be given up while the session goes on', async () => {
    const server = await ssh({
      auth: anyPassword,
      exec: command => (command === 'wait' ? undefined : { stdout: 'fine' }),
    })
    const session = await open(server)
    const stop = new AbortController()
    const waiting = session.exec('wait', { signal: stop.signal })
    setTimeout(() => stop.abort(), 50)
    await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' })
    expect(await session.exec('id')).toMatchObject({ stdout: 'fine' })
  })

  test('many commands wait for their turn', async () => {
    let running = 0
    let most = 0
    const server = await ssh({
      auth: anyPassword,
      exec: (command, channel) => {
        running += 1
        most = Math.max(most, running)
        setTimeout(() => {
          running -= 1
          channel.write(command)
          channel.exit(0)
          channel.end()
        }, 10)
        return undefined
      },
    })
    const session = await open(server)
    const names = Array.from({ length: 40 }, (_, at) => `c${at}`)
    const answers = await Promise.all(names.map(name => session.exec(name)))
    expect(answers.map(answer => answer.stdout)).toEqual(names)
    expect(most).toBeLessThanOrEqual(6)
  })
})
