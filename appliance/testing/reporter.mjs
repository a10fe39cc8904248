// Jest's reporter for the runner: lines of JSON as soon as a file has ended, a test begins or has failed, so that
// what ran is known however a run ends.
import { appendFileSync, readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { cpuSeconds } from './cpu.cjs'

const firstLine = text => stripVTControlCharacters(String(text)).trim().split('\n')[0].slice(0, 200)

/** `test: what it said` for each test that failed; a file that broke before its tests says why. */
function failuresOf({ testResults, testExecError, failureMessage }) {
  const failed = testResults.filter(one => one.status === 'failed')
  if (failed.length === 0 && (testExecError || failureMessage))
    return [firstLine(testExecError?.message ?? failureMessage)]
  return failed.map(failureOf)
}

const failureOf = ({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`

const report = process.env.LANWARD_TEST_REPORT
const note = line => appendFileSync(report, `${JSON.stringify(line)}\n`)

/** Processor seconds of the file that has just ended: its process still lives, and had noted what it had cost before. */
function costOf(path) {
  const lines = readFileSync(report, 'utf8').trimEnd().split('\n')
  const began = lines.map(line => JSON.parse(line)).findLast(line => line.begun === path)
  const now = began && cpuSeconds(began.pid)
  return now === undefined ? undefined : now - began.cpu
}

// biome-ignore lint/style/noDefaultExport: jest wants it so
export default class Lines {
  onTestCaseStart({ path }, { ancestorTitles, title }) {
    note({ within: path, test: [...ancestorTitles, title].join(' ') })
  }
  onTestCaseResult({ path }, result) {
    if (result.status === 'failed') note({ within: path, failure: failureOf(result) })
  }
  onTestFileResult({ path }, result) {
    const failures = failuresOf(result)
    const said = (result.console ?? []).map(one => one.message)
    const line = {
      ended: path,
      passed: result.numPassingTests,
      skipped: result.numPendingTests + result.numTodoTests,
      failures,
      output: failures.length > 0 ? [result.failureMessage, ...said].join('\n') : '',
      seconds: (result.perfStats.end - result.perfStats.start) / 1000,
      cpu: costOf(path),
    }
    note(line)
  }
}
