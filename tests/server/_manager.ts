// A real manager without its web server: real database in a temporary folder, calls through the real dispatcher.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { prepareGeneration } from '@/db/generation'
import { dispatch } from '@/server/door/dispatch'
import { ownSettings } from '@/server/door/own-settings'
import { belongings } from '@/server/kernel/belonging'
import { readConfig } from '@/server/kernel/config'
import { startFiles } from '@/server/kernel/files/start'
import { moveFormer } from '@/server/kernel/own-settings'
import { type Runtime, startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { allBelongings } from '@/server/manager/belongings/all'
import { scratchFolder } from '../_scratch'
import { removeFolder } from '../appliance/_manager'
import { owner } from '../soak/owner'

export type Answer = { status: number; retCode: number; data: Record<string, unknown>; headers: Headers }
export type Browser = {
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  raw(path: string, init: RequestInit): Promise<Response>
  cookies: Map<string, string>
}
export type Manager = { runtime: Runtime; browser(address?: string): Browser; data: string; stop(): Promise<void> }

type Starter = (runtime: Runtime) => Promise<void> | void

const migrations = `${process.cwd()}/db/migrations`

/**
 * A data folder as a first start makes it. All migrations take a quarter of a second, and most files here begin with a
 * new manager: one folder is made for each state of the migrations, and the others are copies of it.
 */
function freshData(): string {
  const state = createHash('sha256')
  for (const name of readdirSync(migrations).sort())
    if (name.endsWith('.sql')) state.update(readFileSync(`${migrations}/${name}`))
  const scratch = process.env.LANWARD_SCRATCH ?? tmpdir()
  const first = `${scratch}/lanward-first-${state.digest('hex').slice(0, 16)}`
  if (!existsSync(first)) {
    const made = scratchFolder('lanward-making-')
    prepareGeneration(made, migrations)
    try {
      renameSync(made, first)
    } catch {
      // Another worker was faster; its folder is as good.
      removeFolder(made)
    }
  }
  const data = scratchFolder('lanward-test-')
  cpSync(first, data, { recursive: true })
  return data
}

/** `setupCode` 'off' unless given. Addresses stand in the header that the server in front sets. */
export async function startTestManager(
  options: { setupCode?: string; starters?: Starter[]; data?: string } = {},
): Promise<Manager> {
  const data = options.data ?? freshData()
  const env = {
    LANWARD_DATA: data,
    LANWARD_ROOT: process.cwd(),
    LANWARD_CONF: '/nonexistent',
    LANWARD_SETUP_CODE: options.setupCode ?? 'off',
  }
  const runtime = await startRuntime(
    [
      made => belongings.start(made, allBelongings),
      made => moveFormer(made, Object.values(ownSettings)),
      startFiles,
      ...(options.starters ?? []),
    ],
    readConfig(env),
  )
  return {
    runtime,
    data,
    browser: (address = '10.0.0.5') => browserAt(address),
    async stop() {
      await stopRuntime()
      if (!options.data) removeFolder(data)
    },
  }
}

function browserAt(address: string): Browser {
  const cookies = new Map<string, string>()
  const headersOf = (extra: Record<string, string> = {}) => ({
    host: 'lanward.test',
    'content-type': 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    'x-lanward-remote': address,
    'x-forwarded-proto': 'https',
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    ...extra,
  })
  const raw = async (path: string, init: RequestInit) => {
    const headers = headersOf(init.headers as Record<string, string>)
    const response = await dispatch(
      path.split('?')[0] ?? '',
      new Request(`https://lanward.test/app/${path}`, { ...init, headers }),
    )
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/Max-Age=0/.test(line)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  return {
    cookies,
    raw,
    async post(path, body = {}, headers = {}) {
      const response = await raw(path, { method: 'POST', body: JSON.stringify(body), headers })
      const { retCode, data } = (await response.json()) as { retCode: number; data: Record<string, unknown> }
      return { status: response.status, retCode, data, headers: response.headers }
    },
  }
}

export { owner }

/** Through the wizard without devices, and signed in. */
export async function finishedWizard(manager: Manager, browser = manager.browser()): Promise<Browser> {
  const expectOk = (answer: Answer) => {
    if (answer.retCode !== 0) throw new Error(JSON.stringify(answer.data))
  }
  if (!browser.cookies.has('lanward.wizard'))
    expectOk(await browser.post('wizard/unlock', { code: manager.runtime.setupCode }))
  expectOk(
    await browser.post('wizard/general', {
      step: 'general',
      name: 'Harbour House',
      country: 'PT',
      timezone: 'Europe/Lisbon',
      language: 'en',
    }),
  )
  expectOk(
    await browser.post('wizard/account', {
      step: 'account',
      account: owner.account,
      email: '',
      password: owner.password,
      repeat: owner.password,
    }),
  )
  expectOk(await browser.post('wizard/finish'))
  return browser
}
