import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { root } from '../appliance/_manager'

const bundled = `${root}/dist/push-child/main.mjs`

/** Makes push-child.ts runnable; once, before the first run. */
export function bundlePushChild(): void {
  const script = `import('${root}/appliance/build/bundle.mjs').then(b => b.bundle('${root}/tests/soak/push-child.ts', '${bundled}'))`
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

export type PushRun = {
  /** What it printed so far. */
  output(): string
  /** kill -9, unless it has ended. */
  kill(): void
  ended: Promise<void>
}

/** Starts a manager that pushes to these devices, or settles what is left; `onLine` hears each step. */
export function runPush(
  data: string,
  confirmSeconds: number,
  devices: readonly number[],
  onLine: (line: string, run: PushRun) => void = () => undefined,
): PushRun {
  const words = [bundled, data, String(confirmSeconds), ...devices.map(String)]
  const child: ChildProcess = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  const run: PushRun = {
    output: () => output,
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise(done => child.once('exit', () => done())),
  }
  child.stdout?.on('data', chunk => {
    const text = String(chunk)
    output += text
    for (const line of text.split('\n').filter(Boolean)) onLine(line, run)
  })
  return run
}
