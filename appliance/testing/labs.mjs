// Device labs for npm test, each with a name of its own.
import { root } from '../prepare/prepare.mjs'
import { start } from './run.mjs'

const script = `${root}/appliance/lab/lab.sh`

/**
 * Starts a lab that lives as long as its standard input is open: whatever becomes of this process, the lab goes with it.
 * `wrap` is put before a command that is to run in the manager's network. Rejects with what lab.sh said.
 */
export function startLab(name) {
  const env = { ...process.env, LANWARD_LAB_PREFIX: name }
  const child = start('bash', [script, 'run', 'sh', '-c', 'echo up; exec cat >/dev/null'], { env })
  const ended = new Promise(done => child.once('close', done))
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    child.once('close', () => reject(new Error(`the lab ended: ${said.trim()}`)))
    child.stdout.once('data', () =>
      resolve({
        wrap: ['env', `LANWARD_LAB_PREFIX=${name}`, 'bash', script, 'mgr'],
        end() {
          child.stdin.end()
          return ended
        },
      }),
    )
  })
}
