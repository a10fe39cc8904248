// npm leaves other platforms' binary packages out of the lock when a registry copy lacks them, but keeps
// their names as optionalDependencies; `npm ci` then refuses the lock. Run after every `npm install`.
import { readFileSync, writeFileSync } from 'node:fs'

const file = 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
const packages = lock.packages
let pruned = 0
for (const [path, entry] of Object.entries(packages)) {
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue
    delete entry.optionalDependencies[name]
    pruned++
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`pruned ${pruned}`)
