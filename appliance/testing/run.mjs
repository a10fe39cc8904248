// Programs that npm test starts: what each says is kept, so that several may run at once and still be read one by one.
import { spawn } from 'node:child_process'
import { root } from '../prepare/prepare.mjs'

const running = new Map()
let ending = false

/** Starts a program and keeps an eye on it: `endAll` ends it too. */
export function start(file, args, options) {
  const child = spawn(file, args, { cwd: root, ...options })
  const ended = new Promise(done => child.once('close', done))
  running.set(child, ended)
  void ended.then(() => running.delete(child))
  return child
}

/** Runs a program to its end. Its output, both streams as they came; `silent` leaves standard output out. */
export function run(file, args, { env = {}, silent = false } = {}) {
  // Whoever waits for it is about to go.
  if (ending) return new Promise(() => undefined)
  const stdio = ['ignore', silent ? 'ignore' : 'pipe', 'pipe']
  const child = start(file, args, { stdio, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', text => {
      output += text
    })
  return new Promise(done => {
    child.once('error', error => done({ code: 1, output: `${output}${error.message}\n` }))
    child.once('close', code => done({ code: code ?? 1, output }))
  })
}

/** Ends what runs, and lets nothing more begin; returns when all are gone. */
export async function endAll() {
  ending = true
  for (const child of running.keys()) child.kill('SIGTERM')
  await Promise.all(running.values())
}
