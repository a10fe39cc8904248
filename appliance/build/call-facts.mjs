// Writes model/call-facts.json: what browsers and the server in front must know of calls, from what these say of themselves.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bundle, root } from './bundle.mjs'

const file = `${root}/model/call-facts.json`

/** Touches the file only when it says something else. Rejects when the calls cannot be loaded. */
export async function writeCallFacts() {
  const made = `${root}/dist/call-facts-${process.pid}.mjs`
  await bundle(`${root}/server/door/call-facts.ts`, made)
  const print = `import(${JSON.stringify(pathToFileURL(made).href)}).then(one => process.stdout.write(one.callFactsText))`
  // In a process of its own: the whole manager is loaded with its calls.
  const { status, stdout } = spawnSync(process.execPath, ['-e', print], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  rmSync(made, { force: true })
  if (status !== 0) throw new Error('what the calls say of themselves cannot be read')
  if (stdout !== readFileSync(file, 'utf8')) writeFileSync(file, stdout)
}
