import { createHash } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import ssh2, { type Algorithms, type AuthContext, type Connection, type ServerChannel } from 'ssh2'

export type Answer = { stdout?: string; stderr?: string; code?: number }
export type SshServer = {
  port: number
  /** As OpenSSH prints it. */
  fingerprint: string
  /** Authentication attempts in order: `none`, `password:…`, `publickey:accepted`. */
  attempts: string[]
  commands: string[]
  close(): Promise<void>
}

export type Options = {
  key?: string
  /** How the server names itself. */
  ident?: string
  algorithms?: Algorithms
  /** Decides on an attempt; everything is refused unless told. */
  auth?: (context: AuthContext) => boolean
  /** Names the methods offered in a refusal. */
  offers?: AuthContext['method'][]
  /** Hangs up when a channel is asked for, or when one is to run a command, instead of an answer. */
  hangsUp?: 'channel' | 'command'
  /** Answers a command, or takes the channel over by returning nothing. */
  exec?: (command: string, channel: ServerChannel, input: Promise<string>, connection: Connection) => Answer | undefined
}

/** A pair of ed25519 keys. The library writes about one in 250 so that nobody can read it, itself included. */
export function newKeyPair(comment = ''): { private: string; public: string } {
  for (let tries = 0; tries < 20; tries++) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair
  }
  throw new Error('no readable key in twenty')
}
export const newKey = (): string => newKeyPair().private

function fingerprintOf(key: string): string {
  const parsed = ssh2.utils.parseKey(key)
  if (parsed instanceof Error) throw parsed
  return `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`
}

const describe = (context: AuthContext) => {
  if (context.method === 'password') return `password:${context.password}`
  return context.method === 'publickey' && context.signature ? 'publickey:signed' : context.method
}

const readAll = (channel: ServerChannel) =>
  new Promise<string>(resolve => {
    const chunks: Buffer[] = []
    channel.on('data', (chunk: Buffer) => chunks.push(chunk))
    channel.on('end', () => resolve(Buffer.concat(chunks).toString()))
  })

/** A real SSH server on a port of its own on loopback. */
export async function startSshServer(options: Options = {}): Promise<SshServer> {
  const key = options.key ?? newKey()
  const attempts: string[] = []
  const commands: string[] = []
  const connections = new Set<Connection>()
  const server = new ssh2.Server(
    { hostKeys: [key], ident: options.ident ?? 'dropbear_2024.86', algorithms: options.algorithms },
    connection => {
      connections.add(connection)
      connection.on('error', () => undefined)
      connection.on('close', () => connections.delete(connection))
      connection.on('authentication', context => {
        attempts.push(describe(context))
        if (options.auth?.(context)) context.accept()
        else context.reject(options.offers ?? ['publickey', 'password'])
      })
      connection.on('session', accept => {
        if (options.hangsUp === 'channel') return connection.end()
        accept().on('exec', (acceptExec, _reject, { command }) => {
          if (options.hangsUp === 'command') return connection.end()
          commands.push(command)
          const channel = acceptExec()
          const input = readAll(channel)
          const answer = options.exec?.(command, channel, input, connection)
          if (!answer) return
          channel.write(answer.stdout ?? '')
          channel.stderr.write(answer.stderr ?? '')
          channel.exit(answer.code ?? 0)
          channel.end()
        })
      })
    },
  )
  const listener = createServer({ noDelay: true }, socket => server.injectSocket(socket))
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    fingerprint: fingerprintOf(key),
    attempts,
    commands,
    close: () =>
      new Promise(resolve => {
        for (const connection of connections) connection.end()
        listener.close(() => resolve())
      }),
  }
}
