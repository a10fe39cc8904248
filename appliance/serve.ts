import { readFileSync } from 'node:fs'
import http from 'node:http'
import { networkInterfaces } from 'node:os'
import next from 'next'
import { certificateIn, isIssued } from '@/server/kernel/certificates/read'
import type { TlsPair } from '@/server/kernel/certificates/served'
import { type Config, readConfig, wrongProxy } from '@/server/kernel/config'
import { runtimeIfReady } from '@/server/kernel/runtime'
import { setup } from '@/server/kernel/setup'
import { addressesOf, defaultInterface } from './http/addresses'
import { doorsOf } from './http/doors'
import { type Opened, openDoor } from './http/open'
import { loadTls } from './http/tls'

/** Exit code that asks the supervisor (npm start, systemd) to start the manager again, as after a restore. */
const restartCode = 75
const stopMs = 4000

const dev = process.argv.includes('--dev')
const config = readConfig()
process.chdir(config.root)
process.env.LANWARD_ROOT = config.root
process.env.LANWARD_DATA = config.data

function explain(error: unknown): string {
  const { code, port, path, syscall } = error as NodeJS.ErrnoException & { port?: number }
  // Node reports a recursive mkdir on a read-only file system as ENOENT.
  const readOnly = code === 'ENOENT' && syscall === 'mkdir'
  if (code === 'EADDRINUSE')
    return `Port ${port} is already used by another program. Choose others with LANWARD_HTTPS_PORT, LANWARD_HTTP_PORT and LANWARD_PORTAL_PORT.`
  if (code === 'EACCES' && port) return `Port ${port} needs more permissions than this user has. Choose one above 1023.`
  if (readOnly || code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `${path ?? config.data} is not writable. The data folder (LANWARD_DATA) must belong to the user that runs the manager.`
  if (code === 'ENOSPC')
    return `No space is left on the disk of ${config.data}. Nothing was changed; free some space and start again.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const addresses = () =>
  addressesOf({
    interfaces: networkInterfaces(),
    main: defaultInterface(),
    bind: config.bind,
    port: config.httpsPort,
    forwarded: process.env.LANWARD_FORWARDED === '1',
  })

function announce(): void {
  console.log('\nLanward is ready. Open one of:')
  for (const address of addresses()) console.log(`  ${address}`)
  console.log(`  http://localhost:${config.httpPort}   (on this machine)`)
  const runtime = runtimeIfReady()
  const fresh = runtime && !setup.read(runtime.db).finished
  if (fresh && runtime.setupCode)
    console.log(`\nSetup code: ${runtime.setupCode}   (asked for at the first sign-in from another machine)`)
  console.log('')
}

/** One request through the whole stack: instrumentation has run when it is answered. Rejects when the manager is not well. */
async function firstAnswer(): Promise<void> {
  const host = config.bind === '::' || config.bind === '0.0.0.0' ? '127.0.0.1' : config.bind
  const status = await new Promise<number | undefined>((done, failed) => {
    const options = { host, port: config.httpPort, path: '/app/health', headers: { host: 'localhost' } }
    const request = http.get(options, reply => {
      reply.resume()
      reply.once('end', () => done(reply.statusCode))
    })
    request.once('error', failed)
  })
  // Bound to another address than loopback, plain http leads to https.
  if (status !== 200 && status !== 308) throw new Error(`The manager does not answer correctly (${status}).`)
}

function stopper(servers: Opened['server'][]): (code: number) => void {
  let stopping = false
  return code => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(code), stopMs).unref()
    for (const server of servers) {
      server.close()
      server.closeIdleConnections()
    }
    // Streams (live pages, downloads) do not end by themselves.
    setTimeout(() => {
      for (const server of servers) server.closeAllConnections()
    }, 500).unref()
    process.once('lanward:stopped' as NodeJS.Signals, () => process.exit(code))
    if (!process.emit('lanward:stop' as never)) process.exit(code)
  }
}

/** Whether browsers trust it by themselves. */
const isTrusted = ({ cert }: TlsPair) => isIssued(certificateIn(cert))

function keepCertificate(current: Config, onNew: (files: TlsPair) => void): void {
  const reload = async () => onNew(await loadTls(current.data, current.names))
  const safely = () => void reload().catch(error => console.error('certificate:', explain(error)))
  process.on('lanward:certificate' as NodeJS.Signals, safely)
  // What an administrator on the command line sends after putting files there.
  process.on('SIGHUP', safely)
  setInterval(safely, 12 * 3600_000).unref()
}

/**
 * The configuration as the build resolved it: next.config.mjs would load the build's plugins, which take memory and
 * are no part of the package.
 */
function takeBuiltConfig(): void {
  const file = `${config.root}/.next/required-server-files.json`
  const built = JSON.parse(readFileSync(file, 'utf8')) as { config: unknown }
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(built.config)
}

async function main(): Promise<void> {
  const wrong = wrongProxy(config)
  if (wrong) {
    console.error(wrong)
    process.exit(1)
  }
  if (!dev) takeBuiltConfig()
  const files = await loadTls(config.data, config.names)
  let trusted = isTrusted(files)
  const app = next({
    ...{ dev, dir: config.root, hostname: 'localhost', port: config.httpPort, turbopack: dev },
    // Next takes upgrades to web sockets from this one, which listens nowhere. On ours it would do so past what stands in
    // front, and hold them without a time limit; with nobody there to take them they are ordinary requests.
    httpServer: http.createServer(),
  })
  await app.prepare()
  const handle = app.getRequestHandler()
  const answer: http.RequestListener = (request, reply) => void handle(request, reply)
  const doors = doorsOf(config).map(door => openDoor(door, answer, files, { dev, strict: () => trusted }))
  if (dev) for (const { door, server } of doors) if (!door.optional) server.on('upgrade', app.getUpgradeHandler())
  const stop = stopper(doors.map(({ server }) => server))
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  // npm start was killed: nobody would end or restart this process any more.
  process.on('disconnect', () => stop(0))
  process.on('lanward:restart' as NodeJS.Signals, () => stop(restartCode))
  for (const { door, listen } of doors) await listen(config.bind, why => console.error(`${door.name}: ${explain(why)}`))
  keepCertificate(config, next => {
    trusted = isTrusted(next)
    for (const { renew } of doors) renew(next)
  })
  await firstAnswer()
  process.emit('lanward:ready' as never)
  // To npm start, which keeps the former build until then.
  process.send?.('ready')
  announce()
}

main().catch(error => {
  console.error(explain(error))
  process.exit(1)
})
