// Makes one generation after the other until it is killed; prints a number once that generation is in use.
import Database from 'better-sqlite3'
import {
  currentGeneration,
  lockFolder,
  makeGeneration,
  pointTo,
  prepareGeneration,
  proveDatabase,
} from '@/db/generation'

const [data = '', migrations = ''] = process.argv.slice(2)
lockFolder(data)
prepareGeneration(data, migrations)
for (let round = Number(process.argv[4]); ; round++) {
  const from = currentGeneration(data) ?? ''
  const next = makeGeneration(data, { from, why: 'restore', at: Date.now() }, folder => {
    const before = new Database(`${data}/${from}/lanward.sqlite`)
    before.prepare('VACUUM INTO ?').run(`${folder}/lanward.sqlite`)
    before.close()
    const copy = new Database(`${folder}/lanward.sqlite`)
    copy.prepare("INSERT OR REPLACE INTO settings (key, value) VALUES ('round', ?)").run(String(round))
    copy.close()
    proveDatabase(`${folder}/lanward.sqlite`, migrations)
  })
  pointTo(data, next)
  process.stdout.write(`${round}\n`)
}
