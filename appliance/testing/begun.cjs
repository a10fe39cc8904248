// Loaded by jest before each test file: tells the runner which file begins in which process. Silent when nobody asks.
const { appendFileSync } = require('node:fs')
const { cpuSeconds } = require('./cpu.cjs')

const report = process.env.LANWARD_TEST_REPORT
if (report) {
  const line = { begun: expect.getState().testPath, pid: process.pid, cpu: cpuSeconds(process.pid) }
  appendFileSync(report, `${JSON.stringify(line)}\n`)
}
