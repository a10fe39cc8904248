import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './appliance/_manager'

/** The example of docs/admin/portal-page.md, as it stands there, in a file of its own. */
function example(folder: string, name: string): string {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync(`${root}/docs/admin/portal-page.md`, 'utf8')) ?? []
  if (!code) throw new Error('docs/admin/portal-page.md has no example')
  const file = join(folder, 'page.mjs')
  // What the example leaves to whoever takes it: everybody may come in.
  const decide = `\nasync function decide() {\n  return { allow: true, name: ${JSON.stringify(name)} }\n}\n`
  writeFileSync(file, code + decide)
  return file
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

export type ExternalPage = { url: string; end(): Promise<void> }

/** The documented page, running at an address of this machine; `name`: of every guest. */
export async function externalPage(key: string, host: string, port: number, name = 'Ada'): Promise<ExternalPage> {
  const folder = mkdtempSync(join(tmpdir(), 'lanward-external-'))
  const env = { ...process.env, PORTAL_KEY: key, PORT: String(port) }
  const child: ChildProcess = spawn(process.execPath, [example(folder, name)], { env, stdio: 'inherit' })
  const ended = new Promise(done => child.once('exit', done))
  const url = `http://${host}:${port}/`
  while (child.exitCode === null && !(await answers(url))) await new Promise(wake => setTimeout(wake, 50))
  if (child.exitCode !== null) throw new Error(`the page ended with ${child.exitCode}`)
  return {
    url,
    async end() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
