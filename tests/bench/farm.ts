import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { root } from '../appliance/_manager'
import type { Round } from './rounds'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))

export type Farm = {
  port: number
  pid: number
  /** Notes rounds from now on. */
  begin(): void
  /** Every round since `begin`, in the order they began. */
  notes(): Promise<Round[]>
  end(): Promise<void>
}

/**
 * Compiles and starts the farm of SNMP agents; `dead`: every Nth address does not answer, 0: all do. `hosts`: so many of its
 * own in the forwarding table of each; 0: the same eight in all.
 */
export async function startFarm(port: number, interfaces: number, dead: number, hosts = 0): Promise<Farm> {
  const folder = mkdtempSync(`${tmpdir()}/lanward-farm-`)
  execFileSync('cc', ['-O2', '-o', `${folder}/farm`, `${root}/tests/bench/snmpfarm.c`])
  const options = ['-p', port, '-i', interfaces, '-c', hosts, '-x', dead, '-r', `${folder}/report`].map(String)
  const child: ChildProcess = spawn(`${folder}/farm`, options, { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise(ready => child.stderr?.once('data', ready))
  return {
    port,
    pid: child.pid ?? 0,
    begin: () => void child.kill('SIGUSR1'),
    async notes() {
      child.kill('SIGUSR2')
      while (!existsSync(`${folder}/report`)) await wait(20)
      const lines = readFileSync(`${folder}/report`, 'utf8').trim().split('\n').filter(Boolean)
      rmSync(`${folder}/report`)
      return lines.map(line => {
        const [address = '', begun, complete] = line.split(' ')
        return { address, begun: Number(begun), complete: Number(complete) }
      })
    },
    async end() {
      child.kill('SIGTERM')
      await new Promise(done => child.once('exit', done))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
