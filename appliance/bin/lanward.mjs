#!/usr/bin/env node
// The command line of an installed or built manager.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
process.env.LANWARD_ROOT ??= root
if (!existsSync(`${root}/dist/cli.mjs`)) {
  console.error('The manager is not built yet: run npm start once.')
  process.exit(3)
}
await import(`${root}/dist/cli.mjs`)
