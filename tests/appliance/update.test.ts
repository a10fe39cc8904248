import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { ask, freePort, root } from './_manager'

let work = ''
let child: ChildProcess | undefined
beforeEach(() => {
  work = mkdtempSync(`${tmpdir()}/lanward-update-`)
})
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
})

/** The checkout with its build, on the same packages. */
function copyOfCheckout(): string {
  const copy = `${work}/checkout`
  // Other tests may be writing into the last one.
  const names = ['node_modules', '.git', 'data', '.previous', 'dist/push-child']
  const left = new Set(names.map(name => `${root}/${name}`))
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: from => !left.has(from) && !from.endsWith('/.next/cache'),
  })
  symlinkSync(`${root}/node_modules`, `${copy}/node_modules`)
  return copy
}

test('an updated build that does not come up goes back to the former one by itself', async () => {
  const copy = copyOfCheckout()
  mkdirSync(`${copy}/.previous`)
  for (const part of ['.next', 'dist'])
    cpSync(`${copy}/${part}`, `${copy}/.previous/${part}`, { recursive: true, verbatimSymlinks: true })
  rmSync(`${copy}/dist/came-up`, { force: true })
  writeFileSync(`${copy}/dist/serve.mjs`, "console.error('broken on purpose'); process.exit(1)")
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    LANWARD_DATA: `${work}/data`,
    LANWARD_HTTP_PORT: String(httpPort),
    LANWARD_HTTPS_PORT: String(httpsPort),
    LANWARD_PORTAL_PORT: '0',
    LANWARD_CONF: '/nonexistent',
  }
  child = spawn(process.execPath, [`${copy}/appliance/start.mjs`], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<void>((done, failed) => {
    for (const stream of [child?.stdout, child?.stderr])
      stream?.on('data', chunk => {
        output += chunk
        if (output.includes('Lanward is ready')) done()
      })
    child?.once('exit', code => failed(new Error(`ended with ${code}: ${output}`)))
  })
  await ready
  expect(output).toMatch(/broken on purpose[\s\S]*Going back to the previous build/)
  expect((await ask(`http://127.0.0.1:${httpPort}/app/health`)).status).toBe(200)
  const ended = new Promise(done => child?.once('exit', done))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(existsSync(`${copy}/dist/came-up`)).toBe(true)
})
