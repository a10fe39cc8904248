// One jest run, counted from its own report.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../prepare/prepare.mjs'
import { run } from './run.mjs'

/** Paths of a folder's test files, the long ones first: so the last to end is a short one. */
export function testFiles(folder) {
  if (!existsSync(`${root}/${folder}`)) return []
  return readdirSync(`${root}/${folder}`, { recursive: true })
    .filter(name => /\.test\.tsx?$/.test(String(name)))
    .map(name => `${folder}/${name}`)
    .sort((a, b) => statSync(`${root}/${b}`).size - statSync(`${root}/${a}`).size)
}

const firstLine = text => stripVTControlCharacters(String(text)).trim().split('\n')[0].slice(0, 200)

/** `file › test: what it said`, one line each; a file that broke before its tests counts as one. */
function failuresOf({ testResults }) {
  return testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = name.replace(`${root}/`, '')
    const failed = assertionResults.filter(one => one.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${file}: ${firstLine(message)}`]
    return failed.map(one => `${file} › ${one.fullName}: ${firstLine(one.failureMessages[0])}`)
  })
}

/** Runs these paths. A run that left no report, or in which a file broke, is a failure. */
export async function jest(paths, { workers, wrap = [] }) {
  const folder = mkdtempSync(`${tmpdir()}/lanward-test-`)
  const report = `${folder}/report.json`
  // What is still open when all has been told, as a connection that a broken test left, would keep it from ending.
  const options = ['-c', `${root}/tests/jest.config.mjs`, '--json', `--outputFile=${report}`, '--forceExit']
  const band = workers > 1 ? `--maxWorkers=${workers}` : '--runInBand'
  const program = [process.execPath, `${root}/node_modules/jest/bin/jest.js`]
  const [file, ...args] = [...wrap, ...program, ...options, band, '--runTestsByPath', ...paths]
  // With --json the report also goes to stdout, the readable one to stderr.
  const { code, output } = await run(file, args, { env: { NODE_ENV: 'test' }, silent: true })
  const found = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  rmSync(folder, { recursive: true, force: true })
  const failures = found ? failuresOf(found) : []
  if (failures.length === 0 && code !== 0) failures.push(`${paths.join(' ')}: ended with ${code}`)
  return {
    passed: found?.numPassedTests ?? 0,
    failures,
    skipped: (found?.numPendingTests ?? 0) + (found?.numTodoTests ?? 0),
    output,
  }
}
