import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { Client, ClientChannel } from 'ssh2'
import { DeviceError, secretClose, secretOpen } from '../driver'
import type { AuthMethod } from './auth'
import { sshError } from './reasons'

export type ExecOptions = {
  /** Sent on standard input, then end of file. */
  input?: string | Buffer
  /** Milliseconds until `timeout`; 30 s unless told. */
  timeoutMs?: number
  /** Most bytes of standard output and error together until `tooLarge`; 8 MiB unless told. */
  maxBytes?: number
  signal?: AbortSignal
  /** Standard input stays open until the command has ended: by its end a script on the device knows that nobody waits. */
  held?: true
  /** Hears what the command prints as it comes. */
  heard?: (text: string) => void
}
/** `code` is null when the command was killed, or the channel closed without a status, as it does while a device reboots. */
export type ExecResult = { code: number | null; stdout: string; stderr: string }

/**
 * Dropbear (all versions to 2025.88) closes a channel that has no command yet whenever another channel's command ends:
 * then the command is never run. So its commands are run one after the other.
 */
const channelsAtOnce = (banner: string) => (/dropbear/i.test(banner) ? 1 : 6)

/** One login on a device, with as many commands at a time as its server bears. */
export class SshSession {
  readonly banner: string
  readonly hostKey: string
  /** `none`: the device let us in without asking for a password. */
  readonly method: AuthMethod
  private readonly atOnce: number
  private running = 0
  private readonly waiting: (() => void)[] = []
  private gone = false
  /** Divides what the account's shell prints of its own from what a command answers. */
  private mark?: string

  constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    about: { banner: string; hostKey: string; method: AuthMethod },
  ) {
    this.banner = about.banner
    this.hostKey = about.hostKey
    this.method = about.method
    this.atOnce = channelsAtOnce(about.banner)
    // The listeners stay for good: an error without one would end the process.
    client.on('error', () => this.destroy())
    client.on('close', () => this.destroy())
  }

  get closed(): boolean {
    return this.gone
  }

  close(): void {
    this.gone = true
    this.client.end()
    // A device that does not answer the goodbye keeps no socket of ours.
    setTimeout(() => this.socket.destroy(), 2_000).unref()
  }

  /**
   * For an account whose shell prints lines as it starts, as those of a `.bashrc`, on a system whose commands are read
   * without marks of their own: from now on what stands before a command's own standard output is left out.
   */
  skipGreeting(): void {
    this.mark ??= `lanward-${randomBytes(16).toString('hex')}`
  }

  /** Rejects once the connection is lost, which its keepalives find out: nothing is asked. */
  async mustLive(): Promise<void> {
    if (this.gone) throw new DeviceError('closed', 'the session has ended')
  }

  private destroy(): void {
    this.gone = true
    this.socket.destroy()
  }

  /**
   * Runs a command. A command that overruns its time or bytes costs the device the whole session, since nothing it
   * sends can be trusted to end: rejects with timeout, tooLarge, cancelled, closed or commandFailed (no channel).
   */
  async exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    if (this.running >= this.atOnce) await new Promise<void>(resolve => this.waiting.push(resolve))
    this.running += 1
    try {
      return await this.run(command, options)
    } finally {
      this.running -= 1
      this.waiting.shift()?.()
    }
  }

  /** Opens a TCP connection from the device, and closes it. Rejects with cancelled, closed or commandFailed. */
  reaches(host: string, port: number, signal: AbortSignal): Promise<Reached> {
    return new Promise((resolve, reject) => {
      if (this.gone) return reject(new DeviceError('closed', 'the session has ended'))
      const settle = (work: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        work()
      }
      const abort = () => settle(() => reject(new DeviceError('cancelled')))
      const timer = setTimeout(() => settle(() => resolve('silent')), reachMs)
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      this.client.forwardOut('127.0.0.1', 0, host, port, (error, stream) => {
        stream?.destroy()
        settle(() => {
          try {
            resolve(error ? refusedAs(error, host) : 'open')
          } catch (cause) {
            reject(cause)
          }
        })
      })
    })
  }

  private run(command: string, options: ExecOptions): Promise<ExecResult> {
    const { timeoutMs = 30_000, maxBytes = 8 * 1024 * 1024, signal } = options
    const { mark } = this
    return new Promise((resolve, reject) => {
      if (this.gone) return reject(new DeviceError('closed', 'the session has ended'))
      if (signal?.aborted) return reject(new DeviceError('cancelled'))
      let channel: ClientChannel | undefined
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const fail = (error: DeviceError) => {
        end()
        reject(error)
        if (error.reason === 'cancelled') channel?.close()
        else this.destroy()
      }
      // What the library calls the end of an unanswered request says nothing of the lost connection that caused it.
      const because = (cause: unknown) =>
        this.gone ? new DeviceError('closed', 'the connection was lost', { cause }) : sshError(cause)
      const abort = () => fail(new DeviceError('cancelled'))
      const timer = setTimeout(() => fail(new DeviceError('timeout', 'the command did not end')), timeoutMs)
      signal?.addEventListener('abort', abort, { once: true })
      const opened = (error: Error | undefined, stream: ClientChannel) => {
        if (error) {
          end()
          return reject(this.gone ? because(error) : new DeviceError('commandFailed', error.message))
        }
        channel = stream
        if (signal?.aborted) stream.close()
        const overrun = () => fail(new DeviceError('tooLarge', `more than ${maxBytes} bytes`))
        const output = collect(stream, maxBytes, overrun, options.heard)
        stream.on('error', (cause: unknown) => fail(because(cause)))
        stream.on('close', (code?: number | null) => {
          end()
          if (this.gone && typeof code !== 'number') return reject(because(undefined))
          const { stdout, stderr } = output()
          resolve({ code: code ?? null, stdout: mark ? after(stdout, mark) : stdout, stderr })
        })
        if (!options.held) stream.end(options.input)
      }
      try {
        this.client.exec(mark ? `echo; echo ${mark}; ${command}` : command, opened)
      } catch (error) {
        end()
        reject(sshError(error))
      }
    })
  }
}

/** What follows the line of the mark; nothing where the shell never came to it. */
function after(stdout: string, mark: string): string {
  const line = `\n${mark}\n`
  const at = stdout.indexOf(line)
  return at < 0 ? '' : stdout.slice(at + line.length)
}

/** `forbidden`: the device's SSH server forwards nothing; `failed`: it does not say why, as dropbear. */
type Reached = 'open' | 'refused' | 'silent' | 'unreachable' | 'failed' | 'forbidden'
/** SSH_OPEN_CONNECT_FAILED (RFC 4254, 5.1). */
const connectFailed = 2
const reachMs = 10_000
const refusals: readonly [RegExp, Reached][] = [
  [/prohibited|not allowed/i, 'forbidden'],
  [/refused/i, 'refused'],
  [/timed out|timeout/i, 'silent'],
  [/unreachable|no route/i, 'unreachable'],
]

/** What the device's SSH server says of a connection it could not open. Throws where it was not about that. */
function refusedAs(error: Error & { reason?: unknown }, host: string): Reached {
  const known = refusals.find(([pattern]) => pattern.test(error.message))
  if (known) return known[1]
  if (/not known|resol/i.test(error.message)) throw new DeviceError('noRoute', `nameNotFound: ${host}`)
  if (error.reason === connectFailed) return 'failed'
  throw new DeviceError('commandFailed', error.message)
}

// Only the manager marks secrets: marks that a device sends would hide or show what it likes in the text beside them.
const marks = new RegExp(`[${secretOpen}${secretClose}]`, 'g')
const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8').replace(marks, '\uFFFD')

function collect(stream: ClientChannel, maxBytes: number, overrun: () => void, heard?: (text: string) => void) {
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  let bytes = 0
  const take = (into: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) return overrun()
    into.push(chunk)
  }
  if (heard) {
    const decoder = new StringDecoder('utf8')
    stream.on(
      'data',
      (chunk: Buffer) => bytes + chunk.length <= maxBytes && heard(decoder.write(chunk).replace(marks, '\uFFFD')),
    )
  }
  stream.on('data', take(parts.stdout))
  stream.stderr.on('data', take(parts.stderr))
  return () => ({
    stdout: textOf(parts.stdout),
    stderr: textOf(parts.stderr),
  })
}
