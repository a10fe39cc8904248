// Bundles one of our own TypeScript files for Node: packages stay outside, `@/` is the repository's root.
import { renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Writes `outfile` (ES module with source map) from `entry`, whole or not at all; rejects with esbuild's messages. */
export async function bundle(entry, outfile) {
  const made = `${outfile}.${process.pid}.mjs`
  const esbuild = createRequire(`${root}/package.json`)('esbuild')
  await esbuild.build({
    entryPoints: [entry],
    outfile: made,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'error',
    alias: { '@': root },
    plugins: [external],
  })
  renameSync(made, outfile)
}

/** Everything that is neither relative nor `@/…` comes from node_modules at run time. */
const external = {
  name: 'packages-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, args => {
      if (args.kind === 'entry-point' || args.path.startsWith('@/')) return undefined
      // Next has no exports map: node wants the file's name.
      return {
        path: args.path.startsWith('next/') && !args.path.endsWith('.js') ? `${args.path}.js` : args.path,
        external: true,
      }
    })
  },
}
