import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { root } from './_manager'

/** A Debian under systemd, with loopback alone, whose changes are gone with it. */
export type Debian = {
  /** Runs a shell line inside as root. */
  sh(line: string): { status: number | null; stdout: string; stderr: string }
  stop(): Promise<void>
}

const bootMs = 120_000
const pause = (ms: number) => new Promise(done => setTimeout(done, ms))

/** What /proc says; nothing of a process that has just ended. */
function said(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Process id of the container's init: the child of systemd-nspawn. */
async function initOf(child: ChildProcess, output: () => string): Promise<string> {
  for (const end = Date.now() + bootMs; Date.now() < end; ) {
    const [found = ''] = said(`/proc/${child.pid}/task/${child.pid}/children`).trim().split(' ')
    if (found && said(`/proc/${found}/cmdline`).includes('systemd\0')) return found
    if (child.exitCode !== null) break
    await pause(100)
  }
  throw new Error(`the Debian does not boot: ${output()}`)
}

/** Boots the lab's root (needs root); `shared` is seen inside as /shared. */
export async function bootDebian(shared: string): Promise<Debian> {
  const lower = execFileSync('bash', [`${root}/appliance/lab/root.sh`], { encoding: 'utf8' }).trim()
  const home = mkdtempSync(`${tmpdir()}/lanward-debian-`)
  for (const name of ['tmpfs', 'root']) mkdirSync(`${home}/${name}`)
  const script = `
    mount -t tmpfs tmpfs ${home}/tmpfs && mkdir ${home}/tmpfs/up ${home}/tmpfs/work
    mount -t overlay overlay -o lowerdir=${lower},upperdir=${home}/tmpfs/up,workdir=${home}/tmpfs/work ${home}/root
    scope=
    [ ! -d /run/systemd/system ] || scope='systemd-run --quiet --scope --collect --property=Delegate=yes'
    exec $scope systemd-nspawn --quiet --boot --directory=${home}/root --register=no --keep-unit --private-network \
      --machine=lanward-${process.pid} --bind-ro=${shared}:/shared --resolv-conf=off --timezone=off --link-journal=no --console=pipe`
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output += chunk
    })
  const init = await initOf(child, () => output)
  const sh = (line: string) =>
    spawnSync('nsenter', ['-t', init, '-m', '-u', '-i', '-n', '-p', '-r', '-w', '/bin/sh', '-c', line], {
      encoding: 'utf8',
    })
  for (const end = Date.now() + bootMs; !/running|degraded/.test(sh('systemctl is-system-running').stdout); ) {
    if (Date.now() > end) throw new Error(`the Debian does not finish its boot: ${output}`)
    await pause(200)
  }
  return {
    sh,
    async stop() {
      const ended = new Promise(done => child.once('exit', done))
      // It ends with its parent: who kills that first may find it gone.
      process.kill(Number(init), 'SIGKILL')
      child.kill('SIGKILL')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}
