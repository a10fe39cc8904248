// Runs of jest, told file by file: what passed, what failed, how long it took, and which one hung.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { root } from '../prepare/prepare.mjs'
import { killTree, run } from './run.mjs'

/** Paths of a folder's test files, the long ones first: so the last to end is a short one. */
export function testFiles(folder) {
  if (!existsSync(`${root}/${folder}`)) return []
  return readdirSync(`${root}/${folder}`, { recursive: true })
    .filter(name => /\.test\.tsx?$/.test(String(name)))
    .map(name => `${folder}/${name}`)
    .sort((a, b) => statSync(`${root}/${b}`).size - statSync(`${root}/${a}`).size)
}

/**
 * Follows the lines that reporter and tests write: which files are under way since when, at which test and with what
 * failures so far, and each that has ended.
 */
function follow(path, onEnd) {
  const begun = new Map()
  let read = 0
  return {
    begun,
    look() {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      const whole = text.slice(read, text.lastIndexOf('\n') + 1)
      read += whole.length
      for (const line of whole.split('\n').filter(Boolean)) {
        const { begun: begins, within, ended, ...told } = JSON.parse(line)
        if (begins) begun.set(begins, { since: Date.now(), failures: [] })
        if (begun.has(within)) took(begun.get(within), told)
        if (!ended) continue
        onEnd(ended, told)
        begun.delete(ended)
      }
    },
  }
}

function took(file, { test, failure }) {
  if (test) file.test = test
  if (failure) file.failures.push(failure)
}

const lookMs = 500
/** Beside the files' own time: jest's start. */
const startMs = 60_000

/** One jest over these files; those without a result are told by `lost`, which hung by `hung`. */
async function once(paths, { workers, wrap, limitMs, env }, onFile) {
  const folder = mkdtempSync(`${tmpdir()}/lanward-report-`)
  const report = `${folder}/report`
  const left = new Set(paths)
  const hung = new Set()
  const short = path => path.replace(`${root}/`, '')
  const following = follow(report, (path, result) => {
    left.delete(short(path))
    onFile({ file: short(path), ...result })
  })
  let jestRun
  const timer = setInterval(() => {
    following.look()
    for (const [path, { since }] of following.begun) if (Date.now() - since > limitMs) hung.add(short(path))
    if (hung.size > 0) killTree(jestRun.pid)
  }, lookMs)
  // What is still open when all has been told, as a connection that a broken test left, would keep it from ending.
  const options = [
    '-c',
    `${root}/tests/jest.config.mjs`,
    '--forceExit',
    `--testTimeout=${limitMs}`,
    `--reporters=${root}/appliance/testing/reporter.mjs`,
  ]
  // Each file leaves something of its sandbox behind: a worker that has grown large collects garbage more than it tests.
  const band = workers > 1 ? [`--maxWorkers=${workers}`, '--workerIdleMemoryLimit=1GB'] : ['--runInBand']
  const program = [process.execPath, `${root}/node_modules/jest/bin/jest.js`]
  const [file, ...args] = [...wrap, ...program, ...options, ...band, '--runTestsByPath', ...paths]
  const { code, late, output } = await run(file, args, {
    env: { NODE_ENV: 'test', LANWARD_TEST_REPORT: report, ...env },
    limitMs: workers > 1 ? undefined : paths.length * limitMs + startMs,
    onStart: child => {
      jestRun = child
    },
  })
  clearInterval(timer)
  following.look()
  const under = new Map(
    [...following.begun].map(([path, file]) => [short(path), file]).filter(([one]) => left.has(one)),
  )
  if (late && hung.size === 0) for (const one of under.size > 0 ? under.keys() : left) hung.add(one)
  rmSync(folder, { recursive: true, force: true })
  return { left, hung, under, code, output }
}

/**
 * Runs these files and tells each by `onFile({ file, passed, skipped, failures, output, seconds, cpu })`. One that is at
 * it for more than `limitMs` is ended with all it started and counts as failed; so does one that takes jest with it. The
 * others are run all the same.
 */
export async function jest(paths, { workers = 1, wrap = [], limitMs, env = {} }, onFile) {
  let todo = [...paths]
  let failed = false
  const tell = one => {
    failed ||= one.failures.length > 0
    onFile(one)
  }
  const broken = (file, why, output, { seconds, test, failures = [] } = {}) => {
    const whole = test ? `${why}; it was at: ${test}` : why
    tell({ file, passed: 0, skipped: 0, failures: [whole, ...failures], output: `${whole}\n${output}`, seconds })
  }
  while (todo.length > 0) {
    const { left, hung, under, code, output } = await once(todo, { workers, wrap, limitMs, env }, tell)
    const ended = `hung: ended after ${Math.round(limitMs / 1000)} s, with all it had started`
    for (const file of hung) broken(file, ended, output, { seconds: limitMs / 1000, ...under.get(file) })
    // A run that broke without a word of which file did it: none of them is run again.
    const lost = hung.size > 0 ? [] : under.size > 0 ? [...under.keys()] : [...left]
    for (const file of lost) broken(file, `its run ended with ${code} before it did`, output, under.get(file))
    if (left.size === 0 && code !== 0 && !failed) broken(paths.join(' '), `ended with ${code}`, output)
    todo = [...left].filter(file => !hung.has(file) && !lost.includes(file))
  }
}
