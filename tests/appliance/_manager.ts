import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import node from '@/appliance/node-options.json'

export const root = resolve(import.meta.dirname ?? __dirname, '../..')

const takes = (port: number) =>
  new Promise<boolean>(done => {
    const server = createServer().once('error', () => done(false))
    server.listen(port, () => server.close(() => done(true)))
  })

const given = new Set<number>()

/**
 * Below those that the system gives to outgoing connections: until it is used nobody else comes upon it. Above 10080,
 * which browsers do not open, and none twice.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_081, 32_768)
  if (given.has(port) || !(await takes(port))) return freePort()
  given.add(port)
  return port
}

export type Reply = { status: number; headers: http.IncomingHttpHeaders; body: string; remote: string }
export type Ask = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

/** One request on a connection of its own; certificates are not checked. */
export function ask(url: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Reply> {
  return new Promise((done, failed) => {
    const options = { method, headers, agent: false as const, rejectUnauthorized: false }
    const answer = (reply: http.IncomingMessage) => {
      const parts: Buffer[] = []
      reply.on('data', part => parts.push(part))
      reply.on('error', failed)
      reply.on('end', () =>
        done({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body: Buffer.concat(parts).toString(),
          remote: reply.socket.remoteAddress ?? '',
        }),
      )
    }
    const request = url.startsWith('https:') ? https.request(url, options, answer) : http.request(url, options, answer)
    request.on('error', failed)
    request.end(body)
  })
}

/** A call of the manager's API over plain http from loopback, as a script would make it. */
export async function post(base: string, path: string, input: unknown = {}, headers: Record<string, string> = {}) {
  const reply = await ask(`${base}/app/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'test', ...headers },
    body: JSON.stringify(input),
  })
  return { ...reply, json: JSON.parse(reply.body) as { retCode: number; data: Record<string, unknown>; type: string } }
}

export type Manager = {
  data: string
  http: string
  https: string
  /** The guests' own port. */
  portal: string
  httpsPort: number
  pid: number
  output(): string
  /** Exit code, or the signal's name. */
  ended: Promise<number | string>
  /** SIGTERM, and the exit code it leads to. */
  stop(): Promise<number | string>
  kill9(): Promise<void>
}

export type ManagerOptions = { data?: string; env?: Record<string, string>; wrap?: string[]; program?: string }

/** Starts the built manager on ports of its own and returns when it says it is ready; rejects with its output when it ends before. */
export async function startManager({
  data,
  env = {},
  wrap = [],
  program = root,
}: ManagerOptions = {}): Promise<Manager> {
  const folder = data ?? mkdtempSync(`${tmpdir()}/lanward-data-`)
  const [httpPort, httpsPort, portalPort] = [await freePort(), await freePort(), await freePort()]
  const [file = '', ...args] = [...wrap, process.execPath, ...node.options, `${program}/dist/serve.mjs`]
  const child: ChildProcess = spawn(file, args, {
    cwd: program,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...node.environment,
      ...process.env,
      NODE_ENV: 'production',
      LANWARD_ROOT: program,
      LANWARD_DATA: folder,
      LANWARD_HTTP_PORT: String(httpPort),
      LANWARD_HTTPS_PORT: String(httpsPort),
      LANWARD_PORTAL_PORT: String(portalPort),
      LANWARD_CONF: '/nonexistent',
      ...env,
    },
  })
  let output = ''
  const ended = new Promise<number | string>(done => child.once('exit', (code, signal) => done(code ?? signal ?? '')))
  const ready = new Promise<void>((done, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        output += chunk
        if (output.includes('Lanward is ready')) done()
      })
    void ended.then(code => setTimeout(() => failed(new Error(`ended with ${code}: ${output}`)), 100))
  })
  await ready
  return {
    data: folder,
    http: `http://127.0.0.1:${httpPort}`,
    https: `https://127.0.0.1:${httpsPort}`,
    portal: `http://127.0.0.1:${portalPort}`,
    httpsPort,
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
    async kill9() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export const removeFolder = (folder: string) =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
