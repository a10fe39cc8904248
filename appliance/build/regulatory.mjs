// Writes server/networks/settings/regulatory-data.ts from the kernel's list of what Wi-Fi may do in each country:
//   node appliance/build/regulatory.mjs regulatory.db VERSION
// The file is Debian's package wireless-regdb (ISC licence); its format is regulatory.db(5).
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [path, version] = process.argv.slice(2)
const data = readFileSync(path)
if (data.readUInt32BE(0) !== 0x52474442 || data.readUInt32BE(4) !== 20)
  throw new Error('no regulatory.db of version 20')

const flags = { dfs: 1 << 2, noIr: 1 << 3 }
/** kHz, mBm. */
function ruleAt(place) {
  const at = place * 4
  return {
    dfs: (data[at + 1] & flags.dfs) !== 0,
    noIr: (data[at + 1] & flags.noIr) !== 0,
    dbm: Math.floor(data.readUInt16BE(at + 2) / 100),
    start: data.readUInt32BE(at + 4),
    end: data.readUInt32BE(at + 8),
  }
}
function countryAt(at) {
  const from = data.readUInt16BE(at + 2) * 4
  const rules = from + Math.ceil(data[from] / 2) * 2
  const places = Array.from({ length: data[from + 1] }, (_, index) => data.readUInt16BE(rules + index * 2))
  return { code: data.toString('latin1', at, at + 2), etsi: data[from + 2] === 2, rules: places.map(ruleAt) }
}
const countries = []
for (let at = 8; data.readUInt16BE(at + 2) !== 0; at += 4) countries.push(countryAt(at))

const series = (first, last, step = 4) =>
  Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step)
const bands = {
  '2g': { channels: series(1, 13, 1), mhz: channel => 2407 + 5 * channel },
  '5g': { channels: [...series(36, 64), ...series(100, 144), ...series(149, 165)], mhz: channel => 5000 + 5 * channel },
  '6g': { channels: series(1, 233), mhz: channel => 5950 + 5 * channel },
}

/** `36-48:23 52-64:20r`: channels, dBm, and an r where radar is listened for. */
function textOf({ rules }, { channels, mhz }) {
  const runs = []
  for (const channel of channels) {
    const [low, high] = [(mhz(channel) - 10) * 1000, (mhz(channel) + 10) * 1000]
    const rule = rules.find(one => one.start <= low && one.end >= high && !one.noIr)
    if (!rule) continue
    const what = `${rule.dbm}${rule.dfs ? 'r' : ''}`
    const last = runs.at(-1)
    const step = channels[1] - channels[0]
    if (last?.what === what && channel - last.to === step) last.to = channel
    else runs.push({ from: channel, to: channel, what })
  }
  return runs.map(({ from, to, what }) => `${from === to ? from : `${from}-${to}`}:${what}`).join(' ')
}

const byRules = new Map()
for (const country of countries.filter(({ code }) => /^[A-Z]{2}$/.test(code))) {
  const text = Object.values(bands)
    .map(band => textOf(country, band))
    .join(' | ')
  const key = `${text}${country.etsi ? ' | etsi' : ''}`
  byRules.set(key, [...(byRules.get(key) ?? []), country.code])
}
const lines = [...byRules]
  .sort(([, [a]], [, [b]]) => a.localeCompare(b))
  .map(([text, codes]) => `  '${text}':\n    '${codes.sort().join(' ')}',`)
writeFileSync(
  fileURLToPath(new URL('../../server/networks/settings/regulatory-data.ts', import.meta.url)),
  `// Made by appliance/build/regulatory.mjs from wireless-regdb ${version}, the rules that the Linux kernel holds radios to.
// Copyright 2008 Luis R. Rodriguez, Johannes Berg, Michael Green. ISC licence: appliance/build/licences/ISC.txt.

/** Rules of 2.4, 5 and 6 GHz (channels, dBm, r: listens for radar; etsi: as EN 301 893 asks), and the countries that have them. */
export const regulatory: Readonly<Record<string, string>> = {
${lines.join('\n')}
}
`,
)
