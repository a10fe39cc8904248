// The lab beside `npm start -- --lab`: the manager runs in the lab's own network, its ports are forwarded from 127.0.0.1.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forward } from './forward.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const script = join(here, 'lab.sh')

/** The manager's ports: LANWARD_HTTPS_PORT and LANWARD_HTTP_PORT, from the environment or the configuration file. */
function ports() {
  const file = process.env.LANWARD_CONF ?? join(dirname(here), 'lanward.conf')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const get = (name, fallback) =>
    Number(process.env[name] ?? text.match(new RegExp(`^\\s*${name}\\s*=\\s*(\\d+)`, 'm'))?.[1] ?? fallback)
  return [get('LANWARD_HTTPS_PORT', 8443), get('LANWARD_HTTP_PORT', 8080)]
}

/**
 * Brings the lab up (a running one is taken as it is, and left running at the end).
 * Gives `wrap(command)`, the command as it must be spawned to run inside, and `stop()`.
 */
export async function start() {
  if (process.getuid?.() !== 0) throw new Error('The lab makes network namespaces: start with --lab as root.')
  const was = JSON.parse(execFileSync(script, ['status', '--json'], { encoding: 'utf8' })).up
  const ran = spawnSync(script, ['up'], { stdio: 'inherit' })
  if (ran.status !== 0) throw new Error('The lab did not start.')
  const { addresses } = JSON.parse(execFileSync(script, ['status', '--json'], { encoding: 'utf8' }))
  const servers = await Promise.all(ports().map(port => forward(port, addresses.manager, port)))
  spawnSync(script, ['status'], { stdio: 'inherit' })
  return {
    wrap: command => [script, 'mgr', ...command],
    async stop() {
      for (const server of servers) server.close()
      if (!was) spawnSync(script, ['down'], { stdio: 'inherit' })
    },
  }
}
