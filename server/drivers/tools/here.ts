import { spawn } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { connect as connectSocket, isIP } from 'node:net'
import type { RecordType } from '@/model/troubleshooting/request'
import { DeviceError } from '../driver'
import type { Printed, Vantage } from '../vantage'
import { lineSplitter } from './ssh-vantage'

// The machine that the manager runs on.

const kept = 256 * 1024
const connectMs = 5_000

const run: Vantage['run'] = ([program = '', ...words], { signal, seconds, bytes = kept, line = () => undefined }) =>
  new Promise<Printed>((resolve, reject) => {
    if (signal.aborted) return reject(new DeviceError('cancelled'))
    const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }
    // A group of its own: it ends with all that it started.
    const child = spawn(program, words, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: env as never })
    const lines = lineSplitter(line)
    let text = ''
    const settle = (error?: DeviceError, code: number | null = null) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      if (error) return reject(error)
      lines.end()
      resolve({ code, text })
    }
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended meanwhile.
      }
    }
    const end = (error: DeviceError) => {
      kill()
      settle(error)
    }
    const abort = () => end(new DeviceError('cancelled'))
    const timer = setTimeout(() => end(new DeviceError('timeout', 'the program did not end')), seconds * 1000)
    signal.addEventListener('abort', abort, { once: true })
    const take = (piece: string) => {
      text += piece
      if (text.length > bytes) return end(new DeviceError('tooLarge'))
      lines.take(piece)
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take)
    child.once('error', cause => {
      const { code } = cause as { code?: string }
      settle(code === 'ENOENT' ? undefined : new DeviceError('commandFailed', cause.message), 127)
    })
    child.once('close', code => settle(undefined, code))
  })

const refusals: Readonly<Record<string, 'refused' | 'silent' | 'unreachable'>> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'silent',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
}

const connect: Vantage['connect'] = (host, port, signal) =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    const socket = connectSocket({ host, port })
    const finish = (work: () => void) => {
      signal.removeEventListener('abort', abort)
      socket.removeAllListeners()
      socket.on('error', () => undefined).destroy()
      work()
    }
    const abort = () => finish(() => reject(new DeviceError('cancelled')))
    const told = (state: 'open' | 'refused' | 'silent' | 'unreachable') => {
      const ms = Math.round((performance.now() - begun) * 10) / 10
      finish(() => resolve({ tool: 'port', state, ...((state === 'open' || state === 'refused') && { ms }) }))
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    socket.setTimeout(connectMs, () => told('silent'))
    socket.once('connect', () => told('open'))
    socket.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const state = refusals[code]
      if (state) return told(state)
      const isName = code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      finish(() => reject(new DeviceError('noRoute', isName ? `nameNotFound: ${host}` : message)))
    })
  })

const absent = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN'])
/** The server answers, and not what was asked. */
const refused: Readonly<Record<string, 'refused'>> = { EREFUSED: 'refused', ESERVFAIL: 'refused', ENOTIMP: 'refused' }

const records: { [T in RecordType]: (resolver: Resolver, name: string) => Promise<string[]> } = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  NS: (resolver, name) => resolver.resolveNs(name),
  PTR: (resolver, name) => resolver.resolvePtr(name),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map(parts => parts.join('')),
}

const resolve: Vantage['resolve'] = async ({ name, type, server }, signal) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (server !== undefined) resolver.setServers([isIP(server) === 6 ? `[${server}]` : server])
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const begun = performance.now()
  try {
    const answers = await (isIP(name) === 0 ? records[type](resolver, name) : resolver.reverse(name))
    const ms = Math.round((performance.now() - begun) * 10) / 10
    return { tool: 'dns', state: answers.length > 0 ? 'found' : 'none', answers, ms }
  } catch (error) {
    if (signal.aborted) throw new DeviceError('cancelled')
    const { code = '' } = error as NodeJS.ErrnoException
    return { tool: 'dns', state: absent.has(code) ? 'none' : (refused[code] ?? 'silent'), answers: [] }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

export const here: Vantage = { run, connect, resolve }
