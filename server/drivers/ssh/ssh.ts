import { createHash } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import { Client, type ConnectConfig } from 'ssh2'
import { type Credential, DeviceError, type Target } from '../driver'
import { addressFor } from '../own-address'
import { type AuthMethod, authenticator, readKey } from './auth'
import { sshError } from './reasons'
import { SshSession } from './session'

export type { ExecOptions, ExecResult, SshSession } from './session'

const connectMs = 8_000
const handshakeMs = 20_000

// What old firmware needs comes last, so that it is only agreed upon when nothing better is there.
const algorithms: ConnectConfig['algorithms'] = {
  kex: {
    prepend: [],
    remove: [],
    append: ['diffie-hellman-group-exchange-sha1', 'diffie-hellman-group14-sha1'],
  },
  cipher: { prepend: [], remove: [], append: ['aes256-cbc', 'aes128-cbc'] },
}

/** `SHA256:` and base64 without padding, as OpenSSH prints it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

const cancelled = () => new DeviceError('cancelled')

/** A TCP connection. Rejects with noRoute, timeout, refused, closed or cancelled. */
function open(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(cancelled())
    const socket = connectSocket({ host: address, port })
    const finish = (error?: DeviceError) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.removeAllListeners()
      if (!error) return resolve(socket)
      socket.on('error', () => undefined)
      socket.destroy()
      reject(error)
    }
    const abort = () => finish(cancelled())
    const timer = setTimeout(
      () => finish(new DeviceError('timeout', `no answer from ${address} port ${port}`)),
      connectMs,
    )
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => finish())
    socket.once('error', error => finish(sshError(error)))
  })
}

/** `talks`: it sent something, whatever it was; `refusal`: that it takes nobody from here for now. */
type Banner = { line?: string; talks: boolean; refusal?: string }

// What sshd says in place of its name: PerSourcePenalties (OpenSSH 9.8 and later), MaxStartups and PerSourceMaxStartups.
const refusals = /^(Not allowed at this time|Exceeded MaxStartups)\r?$/m

/** Reads the identification line without taking it away from the SSH client, which attaches later than this is called. */
function tapBanner(socket: Socket): Banner {
  const banner: Banner = { talks: false }
  let text = ''
  const tap = (chunk: Buffer) => {
    banner.talks = true
    text = (text + chunk.toString('latin1')).slice(0, 4_096)
    const line = /(?:^|\n)(SSH-[^\r\n]{1,250})\r?\n/.exec(text)?.[1]
    if (line) banner.line = line.replace(/[^ -~]/g, '')
    else banner.refusal = refusals.exec(text)?.[1]
    if (line || text.length >= 4_096) socket.off('data', tap)
  }
  const onNew = (event: string) => {
    if (event !== 'data') return
    socket.off('newListener', onNew)
    socket.on('data', tap)
  }
  socket.on('newListener', onNew)
  return banner
}

/** Whatever talks and never names SSH is something else, or an SSH server that refuses for now. */
function judge(error: DeviceError, { line, talks, refusal }: Banner): DeviceError {
  if (!talks || line !== undefined || !['closed', 'timeout'].includes(error.reason)) return error
  return refusal
    ? new DeviceError('refusing', refusal)
    : new DeviceError('malformed', 'something answers there, but not SSH')
}

type Verified = { banner: string; hostKey: string; client: Client; method: AuthMethod }
type Handshake = { signal: AbortSignal; credential?: Extract<Credential, { type: 'ssh' }>; hostKey?: string }

/**
 * The SSH handshake on an open socket. Without a pinned key it ends before anything but the key exchange was sent:
 * the rejection's detail is then the fingerprint.
 */
function handshake(socket: Socket, { signal, credential, hostKey }: Handshake): Promise<Verified> {
  const banner = tapBanner(socket)
  const client = new Client()
  const auth = authenticator(credential)
  let seen = ''
  return new Promise((resolve, reject) => {
    let settled = false
    const finish = (error?: DeviceError) => {
      if (settled) return
      settled = true
      signal.removeEventListener('abort', abort)
      if (!error) return resolve({ banner: banner.line ?? '', hostKey: seen, client, method: auth.used() })
      socket.destroy()
      reject(error)
    }
    const abort = () => finish(cancelled())
    signal.addEventListener('abort', abort, { once: true })
    const fail = (error: DeviceError) => finish(judge(error, banner))
    client.on('error', error => fail(auth.explain(sshError(error))))
    client.on('close', () => fail(new DeviceError('closed', 'the device closed the connection in the handshake')))
    client.on('ready', () => finish())
    client.connect({
      sock: socket,
      username: credential?.user ?? 'lanward',
      ident: 'Lanward',
      readyTimeout: handshakeMs,
      // A device that is cut off is to be known within half a minute.
      keepaliveInterval: 10_000,
      keepaliveCountMax: 2,
      algorithms,
      authHandler: auth.handler,
      hostVerifier: (key: Buffer) => {
        seen = fingerprintOf(key)
        if (seen === hostKey) return true
        finish(new DeviceError(hostKey ? 'hostKeyChanged' : 'hostKeyUnknown', seen))
        return false
      },
    })
  })
}

/**
 * Banner and host key of an SSH server, without logging in.
 * Rejects with noRoute, timeout, refused, closed, malformed, unsupported (no common algorithms) or cancelled.
 */
export async function fingerprint(
  address: string,
  port: number,
  signal: AbortSignal,
  notSelf = false,
): Promise<{ banner: string; hostKey: string }> {
  const socket = await open(await addressFor({ address, notSelf }), port, signal)
  const banner = tapBanner(socket)
  try {
    await handshake(socket, { signal })
  } catch (error) {
    const known = sshError(error)
    if (known.reason !== 'hostKeyUnknown') throw known
    return { banner: banner.line ?? '', hostKey: known.detail ?? '' }
  } finally {
    socket.destroy()
  }
  throw new DeviceError('internal')
}

/**
 * Logs in: `none` first (it tells a device without a password), then the key, then the password.
 * Without `target.hostKey` it rejects with hostKeyUnknown, a different key with hostKeyChanged; both carry the seen
 * fingerprint as detail and happen before any credential is sent.
 */
export async function connectSsh(target: Target, signal: AbortSignal): Promise<SshSession> {
  const { credential } = target
  if (credential.type !== 'ssh') throw new DeviceError('internal', 'SSH needs an SSH credential')
  if (credential.privateKey) readKey(credential.privateKey, credential.passphrase)
  const socket = await open(await addressFor(target), target.port, signal)
  socket.setNoDelay(true)
  const verified = await handshake(socket, { signal, credential, hostKey: target.hostKey })
  return new SshSession(verified.client, socket, verified)
}
