// Files that run in labs: as many side by side as the budget lets, and those that failed once more at the end.

/**
 * Takes jobs `{ part, file }` from the queue until it has none, each by `runJob(job, lab)`, which resolves to whether it
 * passed. What a failed file left behind is no place for the next one, which gets a lab of its own. `newLab` resolves to
 * undefined when none starts: then the lane ends, and gives its job back for the others.
 */
export async function inOneLab({ next, back }, { newLab, runJob }) {
  let lab
  for (let job = next(); job; job = next()) {
    lab ??= await newLab()
    if (!lab) return back(job)
    if (await runJob(job, lab)) continue
    await lab.end()
    lab = undefined
  }
  await lab?.end()
}

/** Jobs of one kind, in their order. */
export const queueOf = jobs => ({ next: () => jobs.shift(), back: job => jobs.unshift(job) })

/** At most so many labs. Files of the lab wait, those of the browser work: each lane begins with one kind, helps with the other. */
function inLabs(jobs, lanes, how) {
  const working = jobs.filter(job => job.part === 'browser')
  const waiting = jobs.filter(job => job.part !== 'browser')
  const queueFor = lane => ({
    next: () => (lane === 0 ? (working.shift() ?? waiting.shift()) : (waiting.shift() ?? working.shift())),
    back: job => (job.part === 'browser' ? working : waiting).unshift(job),
  })
  return Promise.all(Array.from({ length: lanes }, (_, lane) => inOneLab(queueFor(lane), how)))
}

/**
 * Runs jobs by `runFile(job, lab)`, which resolves to what its file told. One that failed runs once more, alone, after all
 * others have ended: what passes then is told as passed and its first failures as flaky; what fails again has failed.
 */
export async function withSecondLook(jobs, { lanes, newLab, runFile, tell, flaky }) {
  const again = []
  await inLabs(jobs, lanes, {
    newLab,
    async runJob(job, lab) {
      const first = await runFile(job, lab)
      const passed = first.failures.length === 0
      if (passed) tell(job, first)
      else again.push({ ...job, first })
      return passed
    },
  })
  await inOneLab(queueOf(again), {
    newLab,
    async runJob(job, lab) {
      const second = await runFile(job, lab)
      const passed = second.failures.length === 0
      if (passed) flaky(job.first.failures.map(what => `${job.file} › ${what}`))
      tell(job, second)
      return passed
    },
  })
}
