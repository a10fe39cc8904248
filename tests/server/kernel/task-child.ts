// Does a task of many items, one after the other and `most` of them at most, until it is killed; prints the number of each
// item once it is written down as done, and `done` at the end. Without a `total` it goes on with what an earlier one left.
import { readConfig } from '@/server/kernel/config'
import { startRuntime } from '@/server/kernel/runtime'
import { type Task, taskKind } from '@/server/kernel/task'

type Counted = { done: number[]; total: number }
const [data = '', most = '', total = ''] = process.argv.slice(2)
const counting = taskKind<Counted>({ type: 'count', topic: 'devices' })

async function count({ progress, save }: Task<Counted>): Promise<void> {
  const last = progress.done.length + Number(most)
  for (let n = 0; n < progress.total; n++) {
    if (progress.done.includes(n)) continue
    if (progress.done.length === last) await new Promise(() => undefined)
    await new Promise(setImmediate)
    progress.done.push(n)
    save()
    process.stdout.write(`${n}\n`)
  }
}

const config = readConfig({ LANWARD_DATA: data, LANWARD_ROOT: process.cwd(), LANWARD_CONF: '/nonexistent' })
const runtime = await startRuntime([], config)
runtime.bus.on(({ topic }) => {
  if (topic === 'devices') process.stdout.write('done\n')
})
counting.takeUp(runtime, count)
if (total) {
  const task = counting.add(runtime, { organization: 1, network: null, progress: { done: [], total: Number(total) } })
  void task.run(() => count(task))
}
setInterval(() => undefined, 1000)
