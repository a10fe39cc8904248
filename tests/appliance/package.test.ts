import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { bootDebian, type Debian } from './_debian'
import { root } from './_manager'

const asRoot = process.getuid?.() === 0
const title = (text: string) => (asRoot ? text : `${text}: left out, needs root`)
const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string }

let shared = ''
let debian: Debian

/** The package again as a later version, with `change` made to its files. */
function laterPackage(next: string, change: (program: string) => void): void {
  const folder = mkdtempSync(`${tmpdir()}/lanward-later-`)
  const first = readdirSync(shared).find(name => name.includes(`_${version}_`))
  execFileSync('dpkg-deb', ['-R', `${shared}/${first}`, `${folder}/deb`])
  const program = `${folder}/deb/usr/lib/lanward`
  for (const [file, from, to] of [
    [`${folder}/deb/DEBIAN/control`, `Version: ${version}`, `Version: ${next}`],
    [`${program}/package.json`, `"version": "${version}"`, `"version": "${next}"`],
  ] as const)
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
  change(program)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '-b', `${folder}/deb`, `${shared}/lanward_${next}.deb`])
  rmSync(folder, { recursive: true })
}

function addMigration(program: string): void {
  const file = `${program}/db/migrations/meta/_journal.json`
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: object[] }
  journal.entries.push({
    idx: journal.entries.length,
    version: '6',
    when: 4_000_000_000_000,
    tag: '9999_later',
    breakpoints: true,
  })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(`${program}/db/migrations/9999_later.sql`, 'CREATE TABLE later (id integer);')
}

const status = () =>
  JSON.parse(debian.sh('lanward status --running --json').stdout || '{}') as { data?: Record<string, unknown> }
const ok = (line: string) => {
  const ran = debian.sh(line)
  if (ran.status !== 0) throw new Error(`${line}: ${ran.stdout}${ran.stderr}`)
  return ran.stdout
}

const isUp = 'for i in $(seq 600); do lanward status --running && exit 0; sleep 0.2; done; exit 1'

beforeAll(async () => {
  if (!asRoot) return
  shared = mkdtempSync(`${tmpdir()}/lanward-deb-`)
  execFileSync(process.execPath, [`${root}/appliance/package/package.mjs`], {
    env: { ...process.env, LANWARD_PACKAGE_DIR: shared },
    stdio: 'ignore',
  })
  debian = await bootDebian(shared)
})
afterAll(async () => {
  if (!asRoot) return
  await debian.stop()
  rmSync(shared, { recursive: true, force: true })
})

test(title('installs on a clean Debian and starts as its own user'), () => {
  if (!asRoot) return
  const said = ok(`dpkg -i /shared/lanward_${version}_*.deb`)
  expect(said).toMatch(/setup code [A-Z2-9]{4}-[A-Z2-9]{4}/)
  expect(status().data).toMatchObject({ version, generation: 'gen-1', setupFinished: false })
  expect(ok('ps -o user= -p $(systemctl show -p MainPID --value lanward)').trim()).toBe('lanward')
  expect(ok('stat -c "%U %a" /var/lib/lanward /var/lib/lanward/secret.key').trim()).toBe('lanward 700\nlanward 600')
  const health = `fetch('http://127.0.0.1:8080/app/health').then(async r => console.log(r.status, await r.text()))`
  expect(ok(`/usr/lib/lanward/node -e "${health}"`)).toContain('200 {"status":"up"}')
  expect(ok('systemctl is-enabled lanward').trim()).toBe('enabled')
})

test(title('is started again when it is killed, and takes its configuration file'), async () => {
  if (!asRoot) return
  const before = status().data?.pid
  ok('systemctl kill -s KILL lanward')
  ok(isUp)
  expect(status().data?.pid).not.toBe(before)
  ok("echo 'LANWARD_HTTPS_PORT=443' >> /etc/lanward/lanward.conf && systemctl restart lanward")
  ok(isUp)
  expect(status().data).toMatchObject({ httpsPort: 443 })
})

test(title('root on the command line leaves the data to their user'), () => {
  if (!asRoot) return
  ok('systemctl stop lanward')
  ok('lanward backup')
  expect(ok('find /var/lib/lanward ! -user lanward').trim()).toBe('')
  ok('systemctl start lanward')
})

test(title('a new version takes over the data; one that does not come up goes back by itself, data too'), () => {
  if (!asRoot) return
  laterPackage('8.0.0', program => {
    addMigration(program)
    rmSync(`${program}/.next/server/app/app/health`, { recursive: true })
  })
  const failed = debian.sh('dpkg -i /shared/lanward_8.0.0.deb')
  expect(failed.status).not.toBe(0)
  expect(failed.stderr).toContain(`version 8.0.0 does not come up. Going back to ${version}`)
  ok(isUp)
  expect(status().data).toMatchObject({ version, generation: 'gen-1' })
  laterPackage('9.0.0', addMigration)
  ok('dpkg -i /shared/lanward_9.0.0.deb')
  expect(status().data).toMatchObject({ version: '9.0.0', schema: 4_000_000_000_000 })
  expect(ok('cat /etc/lanward/lanward.conf')).toContain('LANWARD_HTTPS_PORT=443')
})

test(title('removal keeps the data, purge takes them'), () => {
  if (!asRoot) return
  ok('dpkg -r lanward')
  expect(debian.sh('systemctl is-active lanward').stdout.trim()).not.toBe('active')
  expect(ok('ls /var/lib/lanward')).toContain('secret.key')
  ok('dpkg -P lanward')
  expect(debian.sh('ls -d /var/lib/lanward /usr/lib/lanward /etc/lanward').stdout).toBe('')
})
