// One budget of processor cores for all that a run of tests does at once. With more at work than there are cores, the
// threads in which V8 compiles get no turn, and everything stays in its interpreter: ten times slower than one by one.

/** `take(cost)` waits for its turn, in the order of asking, and gives what hands it back. One that costs more than all takes all. */
export function budgetOf(cores) {
  let free = cores
  const waiting = []
  function next() {
    while (waiting.length > 0 && waiting[0].cost <= free) {
      const { cost, begin } = waiting.shift()
      free -= cost
      begin(() => {
        free += cost
        next()
      })
    }
  }
  return {
    cores,
    take(wanted) {
      return new Promise(begin => {
        waiting.push({ cost: Math.min(wanted, cores), begin })
        next()
      })
    },
  }
}

/** What each kind of work costs. A file of the lab waits for devices more than it works. */
export const costs = { check: 1, build: 1, lab: 0.5, browser: 1, smoke: 1, appliance: 1, long: 1, startLab: 1 }

/** One lab more than cores: two files of the lab and one of the browser fill two cores. More labs than three only wait. */
export const labsAtOnce = cores => Math.min(3, cores + 1)

/** One worker more than cores: a fifth of what unit tests take is waiting for something that they started. */
export const unitWorkers = cores => cores + 1
