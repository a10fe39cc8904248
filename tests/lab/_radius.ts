// Debian's FreeRADIUS beside a manager in the lab, started and told by the package's own script. No systemd is here:
// a few lines stand for the four words of systemctl that the script uses, and for the unit that waits for the file.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { removeFolder, root } from '../appliance/_manager'
import { lab } from './_lab'

export type LabRadius = {
  folder: string
  /** Throws it with what the server said. */
  failed(error: Error): never
  stop(): void
}

const systemctl = (pid: string, log: string, start: string) => `#!/bin/sh
running() { grep -qs '^State:.[^Z]' "/proc/$(cat ${pid} 2>/dev/null)/status"; }
ended() { if running; then kill "$(cat ${pid})"; while running; do sleep 0.05; done; fi; }
case $1 in
  is-active) running ;;
  reload) kill -HUP "$(cat ${pid})" ;;
  stop) ended ;;
  restart)
    ended; rm -f ${log}; ${start} & echo $! >${pid}
    until grep -qs 'Ready to process' ${log} || ! running; do sleep 0.05; done ;;
esac
`

const server = (place: string) => `env LANWARD_RADIUS=${place} freeradius -f -d ${place}/conf -n radiusd`

/** Beside a manager in the lab's network. */
export async function startSupervisor(): Promise<LabRadius> {
  const { state } = await lab.up()
  return supervise(`${state}/radius`, `${root}/appliance/lab/lab.sh tool ${server('/mnt/radius')}`)
}

/** Beside a manager where there is no lab: the program is of the lab's root all the same. */
export function startSupervisorBeside(): LabRadius {
  const folder = mkdtempSync(`${tmpdir()}/lanward-radius-folder-`)
  const labRoot = execFileSync(`${root}/appliance/lab/root.sh`, { encoding: 'utf8' }).trim()
  const mounts = `mount --bind ${folder} ${labRoot}/mnt && mount --bind /dev ${labRoot}/dev`
  const line = `${mounts} && exec chroot ${labRoot} ${server('/mnt')}`
  return supervise(folder, `exec unshare -m --propagation private sh -c '${line}'`)
}

function supervise(folder: string, command: string): LabRadius {
  rmSync(folder, { recursive: true, force: true })
  for (const one of ['conf', 'run']) mkdirSync(`${folder}/${one}`, { recursive: true })
  const shim = mkdtempSync(`${tmpdir()}/lanward-radius-`)
  const start = `${command} </dev/null >${shim}/out 2>&1`
  writeFileSync(`${shim}/systemctl`, systemctl(`${shim}/pid`, `${folder}/run/log`, start), { mode: 0o755 })
  const env = { ...process.env, PATH: `${shim}:${process.env.PATH}`, LANWARD_RADIUS: folder }
  const own = { ...env, LANWARD_RADIUS_STARTED: `${shim}/started` }
  const run = (file: string, ...words: string[]) => spawnSync(file, words, { env: own, encoding: 'utf8' })
  // As a path unit: one at a time, and once more for what came meanwhile.
  let [busy, again] = [false, false]
  const apply = () => {
    again = busy
    if (busy) return
    busy = true
    spawn(`${root}/appliance/package/debian/radius-apply`, { env: own, stdio: 'ignore' }).once('exit', () => {
      busy = false
      if (again) apply()
    })
  }
  const watcher = watch(`${folder}/conf`, (_, name) => {
    if (name === 'apply') apply()
  })
  return {
    folder,
    failed(error) {
      const said = run('tail', '-n', '20', `${shim}/out`, `${folder}/run/log`)
      throw new Error(`${error.message}\n${said.stdout}${said.stderr}`)
    },
    stop() {
      watcher.close()
      run('systemctl', 'stop')
      removeFolder(shim)
    },
  }
}
