// npm run package: a .deb of the built manager, with the packages it runs on and the Node that runs this.
// LANWARD_PACKAGE_DIR: where to put it (the repository's root unless set).
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sbomOf } from '../build/sbom.mjs'
import { shippedPackages } from '../build/shipped.mjs'
import { build, checkNode, install, root, stop } from '../prepare/prepare.mjs'

const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname)
const { version, description } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const architecture = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' }[process.arch]

const uselessFile = /\.(map|md|markdown|d\.ts|d\.mts|d\.cts|tsbuildinfo)$/i
const uselessFolder = /\/better-sqlite3\/(deps|src|build\/Release\/(obj|\.deps|obj\.target))(\/|$)/

function copyPackage(path, to) {
  const nested = join(root, path, 'node_modules')
  cpSync(`${root}/${path}`, `${to}/${path}`, {
    recursive: true,
    filter: from =>
      from !== nested && !uselessFolder.test(from) && !(uselessFile.test(from) && statSync(from).isFile()),
  })
}

function stageProgram(program) {
  for (const path of [
    '.next',
    'dist',
    'db/migrations',
    'locales',
    'appliance/bin',
    'package.json',
    'next.config.mjs',
    'app/_i18n',
  ])
    cpSync(`${root}/${path}`, `${program}/${path}`, {
      recursive: true,
      // The build refers to packages by links of its own.
      verbatimSymlinks: true,
      filter: from => !/\.next\/(cache|types|dev|trace)|dist\/(run|test)-/.test(from),
    })
  for (const path of shippedPackages(root)) copyPackage(path, program)
  cpSync(realpathSync(process.execPath), `${program}/node`)
  chmodSync(`${program}/node`, 0o755)
}

const files = {
  'lanward.service': ['lib/systemd/system/lanward.service', 0o644],
  'lanward.conf': ['etc/lanward/lanward.conf', 0o644],
  'lanward.sysctl': ['usr/lib/sysctl.d/60-lanward.conf', 0o644],
  lanward: ['usr/bin/lanward', 0o755],
  'lanward-radius.service': ['lib/systemd/system/lanward-radius.service', 0o644],
  'lanward-radius-apply.service': ['lib/systemd/system/lanward-radius-apply.service', 0o644],
  'lanward-radius-apply.path': ['lib/systemd/system/lanward-radius-apply.path', 0o644],
  'radius-apply': ['usr/lib/lanward-radius/apply', 0o755],
  preinst: ['DEBIAN/preinst', 0o755],
  postinst: ['DEBIAN/postinst', 0o755],
  prerm: ['DEBIAN/prerm', 0o755],
  postrm: ['DEBIAN/postrm', 0o755],
}

function stage(folder) {
  stageProgram(`${folder}/usr/lib/lanward`)
  for (const [name, [target, mode]] of Object.entries(files)) {
    mkdirSync(dirname(`${folder}/${target}`), { recursive: true })
    cpSync(`${here}/debian/${name}`, `${folder}/${target}`)
    chmodSync(`${folder}/${target}`, mode)
  }
  const doc = `${folder}/usr/share/doc/lanward`
  mkdirSync(doc, { recursive: true })
  for (const name of readdirSync(root).filter(one => /\.md$|^LICENSE/.test(one)))
    cpSync(`${root}/${name}`, `${doc}/${name}`)
  cpSync(`${root}/docs`, `${doc}/docs`, { recursive: true })
  writeFileSync(`${doc}/sbom.cdx.json`, `${JSON.stringify(sbomOf(root), null, 2)}\n`)
  writeFileSync(`${folder}/DEBIAN/conffiles`, '/etc/lanward/lanward.conf\n')
  writeFileSync(
    `${folder}/DEBIAN/control`,
    `${[
      'Package: lanward',
      `Version: ${version}`,
      `Architecture: ${architecture}`,
      'Maintainer: The Lanward project <lanward@localhost>',
      'Section: net',
      'Priority: optional',
      'Depends: adduser, libc6 (>= 2.28), libstdc++6 (>= 8)',
      'Recommends: openssh-client, iputils-ping',
      'Suggests: freeradius',
      `Description: ${description}`,
    ].join('\n')}\n`,
  )
}

checkNode()
install()
build()
if (!architecture || spawnSync('dpkg-deb', ['--version']).status !== 0)
  stop('npm run package needs dpkg-deb (apt-get install dpkg) on amd64, arm64 or armhf.')
const out = process.env.LANWARD_PACKAGE_DIR ?? root
const folder = mkdtempSync(`${tmpdir()}/lanward-package-`)
try {
  stage(folder)
  chmodSync(folder, 0o755)
  const target = `${out}/lanward_${version}_${architecture}.deb`
  const made = spawnSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', folder, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (made.status !== 0) stop('dpkg-deb failed; see the message above.')
  console.log(`${basename(target)}: ${(statSync(target).size / 1e6).toFixed(0)} MB`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
