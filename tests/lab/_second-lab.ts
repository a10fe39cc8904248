import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { root } from '../appliance/_manager'
import { lab, type Ran, run } from './_lab'

/** A lab beside the one these tests run in. */
export type SecondLab = {
  state: string
  /** The words of a command line that calls its lab.sh. */
  command: string[]
  call(...args: string[]): Promise<Ran>
  runnerOf(device: string): number
  /** Everything of it that this machine still has; nothing when it is gone. */
  remains(): Promise<string[]>
}

/** Where runs have the folders of their temporary files: these tests may run in one. */
export const temporaryBase = tmpdir().replace(/\/lanward-run-[^/]*$/, '')

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
const named = [
  '/sys/fs/cgroup/systemd',
  '/sys/fs/cgroup/unified',
  '/sys/fs/cgroup',
  '/run/netns',
  '/run/systemd/nspawn/propagate',
]

export async function secondLab(prefix: string, site: 'small' | 'whole'): Promise<SecondLab> {
  const state = (await lab.up()).state.replace(/[^/]+$/, prefix)
  const settings = [`LANWARD_LAB_PREFIX=${prefix}`, `LANWARD_LAB_SITE=${site}`, `TMPDIR=${temporaryBase}`]
  const command = ['env', ...settings, `${root}/appliance/lab/lab.sh`]
  const [file = '', ...first] = command
  return {
    state,
    command,
    call: (...args) => run(file, [...first, ...args], { timeoutMs: 240_000 }),
    runnerOf: device => Number.parseInt(readFileSync(`${state}/${device}/runner`, 'utf8'), 10),
    async remains() {
      // Of the machine itself: here is the manager's network.
      const links = (await run('nsenter', ['-t', '1', '-n', 'ip', '-o', 'link'])).stdout.split('\n')
      const mounts = readFileSync('/proc/1/mountinfo', 'utf8').split('\n')
      const things = [...named.flatMap(namesIn), ...links, ...mounts].filter(one => one.includes(`${prefix}-`))
      const processes = (await run('ps', ['-eo', 'args'])).stdout.split('\n').filter(line => line.includes(`${state}/`))
      return [...things, ...processes, ...[state, `${state}.lock`].filter(existsSync)]
    },
  }
}
