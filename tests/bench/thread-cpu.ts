import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds of one thread of a process so far, by the scheduler's own count (ns); of the main one without `thread`. */
function threadCpu(pid: number, thread = pid): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  } catch {
    return 0
  }
}

export type ThreadCpu = { main: number; busiest: number }

/** CPU seconds of the main thread, and of the busiest other one: of a manager that is the thread that polls. */
export function cpuByThread(pid: number): ThreadCpu {
  const others = readdirSync(`/proc/${pid}/task`).flatMap(name => (name === String(pid) ? [] : [Number(name)]))
  return { main: threadCpu(pid), busiest: Math.max(0, ...others.map(thread => threadCpu(pid, thread))) }
}
