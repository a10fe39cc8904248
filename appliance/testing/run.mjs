// Programs that a run of tests starts: what each says is kept, so that several may run at once and still be read one by one.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { root } from '../prepare/prepare.mjs'

const running = new Map()
let ending = false

/** Starts a program and keeps an eye on it: `endAll` ends it, too. One that `tidies` ends what it started by itself. */
export function start(file, args, { tidies = false, ...options }) {
  const child = Object.assign(spawn(file, args, { cwd: root, detached: true, ...options }), { tidies })
  const ended = new Promise(done => child.once('close', done))
  running.set(child, ended)
  void ended.then(() => running.delete(child))
  return child
}

/** Parent of each process, by number; empty where the system has no /proc. */
function parents() {
  const found = new Map()
  let names = []
  try {
    names = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  } catch {}
  for (const name of names) {
    try {
      // The name in parentheses may hold anything, parentheses too.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ')
      found.set(Number(name), Number(fields[1]))
    } catch {}
  }
  return found
}

/**
 * A process and all that it started, at once: one that hangs answers no gentler signal. Its group, too: what
 * has just been started, or has lost its parent, is found in no tree.
 */
export function killTree(pid) {
  const of = parents()
  const tree = [-pid, pid]
  for (const one of tree) tree.push(...[...of].filter(([, parent]) => parent === one).map(([child]) => child))
  for (const one of tree) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {}
  }
}

/**
 * Runs a program to its end. `output` is both streams as they came (`silent` leaves standard output out, `tee` prints it,
 * too), `code` its exit
 * code, 1 where it has none. After `limitMs` it is killed with all that it started, and `late` says so; `onStart` gets it
 * as soon as it runs.
 */
export function run(file, args, { env = {}, silent = false, tee = false, limitMs, tidies, onStart } = {}) {
  // Whoever waits for it is about to go.
  if (ending) return new Promise(() => undefined)
  const stdio = ['ignore', silent ? 'ignore' : 'pipe', 'pipe']
  const child = start(file, args, { stdio, tidies, env: { ...process.env, ...env } })
  onStart?.(child)
  let output = ''
  let late = false
  const timer =
    limitMs &&
    setTimeout(() => {
      late = true
      killTree(child.pid)
    }, limitMs)
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', text => {
      output += text
      if (tee) process.stdout.write(text)
    })
  return new Promise(done => {
    const end = (code, more = '') => {
      clearTimeout(timer)
      if (!ending) done({ code, late, output: output + more })
    }
    child.once('error', error => end(1, `${error.message}\n`))
    child.once('close', code => end(code ?? 1))
  })
}

const askedMs = 2_000
const goingMs = 30_000

/**
 * Ends what runs, and lets nothing more begin; returns when all are gone. Programs are asked and then killed with all that
 * they started; those that tidy up, as a lab does with its devices, are asked alone and have longer.
 */
export async function endAll() {
  ending = true
  const kill = all => {
    for (const child of running.keys()) if (all || !child.tidies) killTree(child.pid)
  }
  for (const child of running.keys()) child.kill('SIGTERM')
  const timers = [setTimeout(kill, askedMs, false), setTimeout(kill, goingMs, true)]
  await Promise.all(running.values())
  for (const timer of timers) clearTimeout(timer)
}
