import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { codes } from '@/model/codes'
import { isRefusal } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { runCommand } from './commands'
import { ready } from './status'

/*
 * The command line's door: HTTP on a socket file that only the manager's own user and root can open. What is asked
 * stands in the path, its input as base64 JSON in the header x-input, a file's bytes in the body.
 */
export const socketFile = (data: string): string => `${data}/lanward.sock`

function send(reply: ServerResponse, body: unknown): void {
  reply.writeHead(200, { 'content-type': 'application/json' })
  reply.end(JSON.stringify(body))
}

async function answer(runtime: Runtime, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  try {
    const input: unknown = JSON.parse(
      Buffer.from(String(request.headers['x-input'] ?? 'e30='), 'base64').toString('utf8'),
    )
    const { data, restart } = await runCommand(runtime, (request.url ?? '/').slice(1), input, request)
    send(reply, { retCode: 0, data })
    if (restart) reply.once('close', () => process.emit('lanward:restart' as never))
  } catch (error) {
    if (isRefusal(error)) return send(reply, { retCode: error.retCode, data: error.data })
    console.error('command line:', error)
    send(reply, {
      retCode: codes.unknownError,
      data: { detail: error instanceof Error ? error.message : String(error) },
    })
  }
}

/** Opens the socket; this process holds the folder's lock, so a socket that lies there is a dead one's. */
export async function startCommandSocket(runtime: Runtime): Promise<void> {
  const file = socketFile(runtime.config.data)
  process.once('lanward:ready' as NodeJS.Signals, () => ready.start(runtime, true))
  rmSync(/* turbopackIgnore: true */ file, { force: true })
  const server = createServer((request, reply) => void answer(runtime, request, reply))
  const before = process.umask(0o177)
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed)
      server.listen(file, done)
    })
  } finally {
    process.umask(before)
  }
  chmodSync(/* turbopackIgnore: true */ file, 0o600)
  runtime.closers.push(() => {
    server.close()
    server.closeAllConnections()
    rmSync(/* turbopackIgnore: true */ file, { force: true })
  })
}
