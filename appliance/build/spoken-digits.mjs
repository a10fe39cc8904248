// Makes server/people/sign-in/spoken-digits.json: the ten digits as they are read out at the sign-in, in English.
// Run by hand when they are to sound otherwise: node appliance/build/spoken-digits.mjs (needs `flite`, Debian's package).
// The voice is Flite's `slt` (Carnegie Mellon University, free to use, copy, modify and sell under its copyright notice).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'

const names = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const headerBytes = 44
/** Below this share of the loudest sample it is silence. */
const silence = 0.02

/** Samples of a 16 kHz WAV file between -1 and 1, at 8 kHz: pairs are averaged. */
function samplesOf(file) {
  const bytes = readFileSync(file).subarray(headerBytes)
  const at = n => bytes.readInt16LE(n * 2) / 32_768
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, n) => (at(2 * n) + at(2 * n + 1)) / 2)
}

/** Without the silence around it, as loud as the others; a byte a sample, 128 is zero. */
function trimmed(samples) {
  const loudest = Math.max(...samples.map(Math.abs))
  const heard = samples.map(one => Math.abs(one) > silence * loudest)
  const cut = samples.slice(Math.max(0, heard.indexOf(true) - 80), heard.lastIndexOf(true) + 240)
  return Buffer.from(cut.map(one => Math.round(128 + (one / loudest) * 120)))
}

const folder = mkdtempSync(`${tmpdir()}/spoken-digits-`)
const spoken = names.map((name, digit) => {
  const file = `${folder}/${digit}.wav`
  const how = ['-voice', 'slt', '--setf', 'duration_stretch=1.15', '-t', `${name}.`, '-o', file]
  execFileSync(process.env.FLITE ?? 'flite', how)
  return trimmed(samplesOf(file)).toString('base64')
})
rmSync(folder, { recursive: true })
const target = new URL('../../server/people/sign-in/spoken-digits.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(spoken, null, 2)}\n`)
