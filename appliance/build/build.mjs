// Builds what `npm start` and the package run: Next's production build, the server in front of it, the command line.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { sourceStamp, stampFile } from '../prepare/stamp.mjs'
import { bundle, root } from './bundle.mjs'
import { writeCallFacts } from './call-facts.mjs'
import { collectLicences } from './licences.mjs'
import { slimMaps } from './source-maps.mjs'

await writeCallFacts()
const stamp = sourceStamp()
rmSync(`${root}/${stampFile}`, { force: true })
mkdirSync(`${root}/dist`, { recursive: true })
// Next's record of an earlier type check has been seen to keep errors that were mended outside the sources.
rmSync(`${root}/.next/cache/.tsbuildinfo`, { force: true })
await bundle(`${root}/appliance/serve.ts`, `${root}/dist/serve.mjs`)
await bundle(`${root}/appliance/cli.ts`, `${root}/dist/cli.mjs`)
writeFileSync(`${root}/dist/licences.json`, JSON.stringify(collectLicences(root)))
const next = spawnSync(process.execPath, [`${root}/node_modules/next/dist/bin/next`, 'build'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', LANWARD_BUILD: '1' },
})
if (next.status !== 0) process.exit(next.status ?? 1)
slimMaps(`${root}/.next/server`)
writeFileSync(`${root}/${stampFile}`, stamp)
