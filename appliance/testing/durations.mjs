// How long each file took when it passed last, so that the next run begins with the longest and its lanes end together.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { root } from '../prepare/prepare.mjs'

const usual = `${root}/node_modules/.cache/lanward-tests/seconds.json`

/** By file, in seconds; nothing where no run has kept them. */
export function readDurations(path = usual) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

export function keepDuration({ file, seconds }, path = usual) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify({ ...readDurations(path), [file]: seconds }))
  renameSync(`${path}.new`, path)
}

/** Those of which nothing is known come first, in their order. */
export function longestFirst(jobs, durations = readDurations()) {
  const of = ({ file }) => durations[file] ?? Number.MAX_VALUE
  return jobs.toSorted((a, b) => of(b) - of(a))
}
