// node run-ts.mjs FILE [ARGUMENTS]: runs a TypeScript file of this repository.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundle, root } from './bundle.mjs'

const [file, ...rest] = process.argv.slice(2)
if (!file) {
  console.error('usage: run-ts.mjs FILE [ARGUMENTS]')
  process.exit(2)
}
// Beside node_modules, so that packages are found.
const folder = `${root}/dist/run-${process.pid}`
mkdirSync(folder, { recursive: true })
await bundle(resolve(file), `${folder}/main.mjs`)
const child = spawn(process.execPath, ['--enable-source-maps', `${folder}/main.mjs`, ...rest], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(signal ? 1 : code)
})
