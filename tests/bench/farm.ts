import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { root } from '../appliance/_manager'

export type Rounds = { address: string; rounds: number; longestGapMs: number }
export type Farm = {
  port: number
  pid: number
  /** Counts rounds from now on. */
  begin(): void
  /** Ends the farm; every device's rounds since `begin`. */
  end(): Promise<Rounds[]>
}

/** Compiles and starts the farm of SNMP agents; `dead`: every Nth address does not answer. */
export async function startFarm(port: number, interfaces: number, dead: number): Promise<Farm> {
  const folder = mkdtempSync(`${tmpdir()}/lanward-farm-`)
  execFileSync('cc', ['-O2', '-o', `${folder}/farm`, `${root}/tests/bench/snmpfarm.c`])
  const options = ['-p', port, '-i', interfaces, '-x', dead, '-r', `${folder}/report`].map(String)
  const child: ChildProcess = spawn(`${folder}/farm`, options, { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise(ready => child.stderr?.once('data', ready))
  return {
    port,
    pid: child.pid ?? 0,
    begin: () => void child.kill('SIGUSR1'),
    async end() {
      child.kill('SIGTERM')
      await new Promise(done => child.once('exit', done))
      const lines = readFileSync(`${folder}/report`, 'utf8').trim().split('\n').filter(Boolean)
      rmSync(folder, { recursive: true, force: true })
      return lines.map(line => {
        const [address = '', rounds, gap] = line.split(' ')
        return { address, rounds: Number(rounds), longestGapMs: Number(gap) }
      })
    },
  }
}
