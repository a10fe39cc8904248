// What a run of tests has told so far, and what it says at its end.

const round = seconds => (seconds === undefined ? '?' : Math.round(seconds))

/** Counts by part; files by name with what they cost; what was planned and has not been told. */
export function tallyOf() {
  const parts = new Map()
  const failures = []
  const flaky = []
  const leftOut = []
  const costs = []
  const planned = new Set()
  const own = part => {
    if (!parts.has(part)) parts.set(part, { passed: 0, failed: 0, skipped: 0, seconds: 0 })
    return parts.get(part)
  }

  function slowest() {
    const rows = costs.toSorted((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0)).slice(0, 15)
    return rows.map(({ file, seconds, cpu }) => `  ${round(seconds)} s, of them ${round(cpu)} s of CPU: ${file}`)
  }

  return {
    planned,
    flaky,
    leftOut,
    /** Files or steps that are to come. */
    plan(names) {
      for (const name of names) planned.add(name)
    },
    /** A file's or a step's end. */
    tell(part, { file, passed, skipped = 0, failures: failed, seconds, cpu }) {
      planned.delete(file)
      const sum = own(part)
      sum.passed += passed
      sum.failed += failed.length
      sum.skipped += skipped
      sum.seconds += seconds ?? 0
      failures.push(...failed.map(what => (what.startsWith(file) ? what : `${file} › ${what}`)))
      if (file.includes('.test.')) costs.push({ file, seconds, cpu })
    },
    line(name, { passed, failures: failed, skipped = 0, seconds }) {
      console.log(`== ${name}: ${passed} passed, ${failed.length} failed, ${skipped} skipped (${round(seconds)} s)`)
    },
    fail(what) {
      failures.push(what)
    },
    /** The last lines; true when nothing failed, something ran, and, for root, nothing was left out. */
    summary({ seconds, strict }) {
      console.log('')
      for (const [part, sum] of parts)
        console.log(
          `${part}: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped (${round(sum.seconds)} s)`,
        )
      if (costs.length > 0) console.log(`\nSlowest files:\n${slowest().join('\n')}`)
      if (planned.size > 0) console.log(`\nNot run:\n${[...planned].map(name => `  ${name}`).join('\n')}`)
      console.log('')
      for (const line of leftOut) console.log(`left out: ${line}`)
      if (failures.length > 0) console.log(`Failed:\n${failures.map(line => `  ${line}`).join('\n')}`)
      for (const line of flaky) console.log(`flaky: ${line}`)
      const total = key => [...parts.values()].reduce((all, one) => all + one[key], 0)
      const nothing = total('passed') + failures.length === 0
      console.log(nothing ? 'no test ran' : `in ${round(seconds)} s`)
      console.log(`${flaky.length} flaky`)
      console.log(`${total('passed')} passed, ${failures.length} failed, ${total('skipped')} skipped`)
      const unseen = planned.size + (strict ? total('skipped') + leftOut.length : 0)
      return failures.length === 0 && !nothing && unseen === 0
    },
  }
}
