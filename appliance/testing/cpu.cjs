// What a process has cost.
const { readFileSync } = require('node:fs')

/** Processor seconds of a process and of those it waited for, since it began; undefined without /proc. */
exports.cpuSeconds = pid => {
  try {
    // The name in parentheses may hold anything, parentheses too.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    return undefined
  }
}
