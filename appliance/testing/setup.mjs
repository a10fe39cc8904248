#!/usr/bin/env node
// What the chosen parts need of this machine, as arguments after the name of the set; each step with its seconds. A program of its own, so that the
// run it belongs to can tell when it hangs.
import { spawnSync } from 'node:child_process'
import { checkNode, install, root } from '../prepare/prepare.mjs'

const [set, ...chosen] = process.argv.slice(2)
const asRoot = process.getuid?.() === 0
const has = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** Part, tool, and the package of Debian that has it. */
const tools = [
  ['unit', 'bunzip2', 'bzip2'],
  ['unit', 'busybox', 'busybox'],
  ['appliance', 'curl', 'curl'],
  ['appliance', 'jq', 'jq'],
  ['appliance', 'openssl', 'openssl'],
  ...['smoke', 'lab', 'browser', 'long', 'kernel'].flatMap(part => [
    [part, 'mmdebstrap', 'mmdebstrap'],
    [part, 'systemd-nspawn', 'systemd-container'],
    [part, 'ip', 'iproute2'],
  ]),
  ['smoke', 'chromium', 'chromium'],
  ['browser', 'chromium', 'chromium'],
  ['browser', 'pdftoppm', 'poppler-utils'],
]

function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...packages)
}

function step(name, work) {
  const began = Date.now()
  work()
  const seconds = Math.round((Date.now() - began) / 1000)
  if (seconds > 0) console.log(`== setting up, ${name}: ${seconds} s`)
}

/** The file system of the lab's devices; that of the small site is soon made. None where nothing starts a device. */
function siteOf() {
  if (chosen.includes('kernel')) return 'guest'
  if (chosen.some(part => ['lab', 'browser', 'long'].includes(part))) return 'whole'
  if (chosen.includes('appliance') && set !== 'test') return 'whole'
  return chosen.includes('smoke') ? 'small' : undefined
}

function make(script, site) {
  const env = { ...process.env, LANWARD_LAB_SITE: site }
  spawnSync('bash', [`${root}/appliance/lab/${script}`], { stdio: ['ignore', 'ignore', 'inherit'], env })
}

checkNode()
step('packages of the registry', install)
const missing = new Set(tools.filter(([part, tool]) => chosen.includes(part) && !has(tool)).map(([, , name]) => name))
if (missing.size > 0 && asRoot && has('apt-get')) step(`${[...missing].join(' ')}`, () => aptInstall([...missing]))
const site = siteOf()
if (asRoot && site) step('root of the lab', () => make('root.sh', site))
if (asRoot && chosen.includes('kernel')) step('image of the guests', () => make('guest-image.sh', 'guest'))
