// Keeps a file and says its id, then keeps another or drops the first, and is killed at one step of that.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { readConfig } from '@/server/kernel/config'
import { startFiles } from '@/server/kernel/files/start'
import { dropFiles, putFile } from '@/server/kernel/files/store'
import { startRuntime } from '@/server/kernel/runtime'

const [data = '', step = ''] = process.argv.slice(2)
const die = () => process.kill(process.pid, 'SIGKILL')
const config = readConfig({ LANWARD_DATA: data, LANWARD_ROOT: process.cwd(), LANWARD_CONF: '/nonexistent' })
const runtime = await startRuntime([startFiles], config)
const maps = { name: 'map', bytes: 1024 * 1024, each: 2, all: 10 }
const piece = Buffer.alloc(64 * 1024, 'm')
const put = (body: AsyncIterable<Buffer> | Buffer[]) =>
  putFile(runtime, maps, { owner: '1', name: 'floor.png', type: 'image/png' }, body)

const first = await put([piece, piece])
process.stdout.write('id' in first ? first.id : '')

async function* body() {
  yield piece
  if (step === 'half') die()
  yield piece
  if (step === 'unsynced') die()
}
/** Dies where the system is asked for this next. */
const dieAt = (name: 'renameSync' | 'fsyncSync' | 'rmSync') => {
  if (step !== name && step !== `drop ${name}`) return
  fs[name] = die as never
  syncBuiltinESMExports()
}
runtime.sqlite.function('die', () => Number(die()))
if (step === 'row') runtime.sqlite.exec('CREATE TEMP TRIGGER d BEFORE INSERT ON main.files BEGIN SELECT die(); END')
if (step === 'drop row') runtime.sqlite.exec('CREATE TEMP TRIGGER d AFTER DELETE ON main.files BEGIN SELECT die(); END')
for (const name of ['renameSync', 'fsyncSync', 'rmSync'] as const) dieAt(name)
if (step.startsWith('drop')) dropFiles(runtime.db, maps, '1')
else await put(body())
await new Promise(setImmediate)
