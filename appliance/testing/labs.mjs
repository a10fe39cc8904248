// Device labs for a run of tests, each with a name of its own.
import { root } from '../prepare/prepare.mjs'
import { run, start } from './run.mjs'

const script = `${root}/appliance/lab/lab.sh`

/**
 * Starts a lab that lives as long as its standard input is open: whatever becomes of this process, the lab goes with it.
 * `wrap` is put before a command that is to run in the manager's network. Rejects with what lab.sh said.
 * `site` is `whole` or `small`.
 */
export function startLab(name, site) {
  const env = { ...process.env, LANWARD_LAB_PREFIX: name, LANWARD_LAB_SITE: site }
  const child = start('bash', [script, 'run', 'sh', '-c', 'echo up; exec cat >/dev/null'], { env, tidies: true })
  const ended = new Promise(done => child.once('close', done))
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    child.once('close', () => reject(new Error(`the lab ended: ${said.trim()}`)))
    child.stdout.once('data', () =>
      resolve({
        wrap: ['env', `LANWARD_LAB_PREFIX=${name}`, `LANWARD_LAB_SITE=${site}`, 'bash', script, 'mgr'],
        end() {
          child.stdin.end()
          return ended
        },
      }),
    )
  })
}

/** Removes what labs left behind whose run was killed. */
export const sweepLabs = () => run('bash', [script, 'sweep'])
