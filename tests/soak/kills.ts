// kill -9 at a random moment of what must never be half done. The client is this process, outside the manager: it keeps
// every id the API acknowledged, and after the kill a new manager on the same folder must still have all of them.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { freePort, type Manager, removeFolder, startManager } from '../appliance/_manager'
import { startFarm } from '../bench/farm'
import { farmAddress, seedFleet } from '../bench/seed'
import { type Client, clientOf } from './client'
import { owner } from './owner'

export type Place = {
  name: string
  /** One kill, and the look at what is left. */
  round(random: () => number): Promise<void>
  /** After the last round, where something stays between them. */
  end?(): Promise<void>
}

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))

const throwUnless = (good: unknown, what: string) => {
  if (!good) throw new Error(what)
}

/** SQLite's own opinion of the current generation's file, after everything has been closed. */
export function checkIntegrity(data: string): void {
  const generation = readFileSync(`${data}/current`, 'utf8').trim()
  const file = new Database(`${data}/${generation}/lanward.sqlite`, { readonly: true })
  const said = file.pragma('integrity_check', { simple: true })
  const broken = file.pragma('foreign_key_check') as unknown[]
  file.close()
  throwUnless(said === 'ok' && broken.length === 0, `integrity: ${said}, ${broken.length} broken references`)
}

/** The setup by its calls up to the devices; `wizard/finish` is left to the caller. */
export async function prepareWizard(client: Client, name = 'Harbour', code = ''): Promise<void> {
  await client.must('wizard/unlock', { code })
  await client.must('wizard/general', {
    step: 'general',
    name,
    country: 'PT',
    timezone: 'Europe/Lisbon',
    language: 'en',
  })
  await client.must('wizard/account', {
    step: 'account',
    account: owner.account,
    email: '',
    password: owner.password,
    repeat: owner.password,
  })
}

export const signIn = (client: Client) =>
  client.must('login', { userName: owner.account, userPwd: passwordDigest(owner.password) })

/** Starts on `data`, runs `work`, and stops in order whatever happens. */
async function withManager<T>(data: string, work: (client: Client, manager: Manager) => Promise<T>): Promise<T> {
  const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  try {
    return await work(clientOf(manager.http), manager)
  } finally {
    await manager.stop()
  }
}

async function killDuring(manager: Manager, afterMs: number): Promise<void> {
  await wait(afterMs)
  await manager.kill9()
}

const wizardFinish: Place = {
  name: 'wizard finish',
  async round(random) {
    const data = mkdtempSync(`${tmpdir()}/lanward-kill-`)
    const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
    const client = clientOf(manager.http)
    await prepareWizard(client)
    const [answer] = await Promise.all([client.try('wizard/finish'), killDuring(manager, random() * 25)])
    await withManager(data, async again => {
      const { setup_wizard } = await again.must('init-info')
      if (answer) throwUnless(setup_wizard === '1', 'an acknowledged finish was lost')
      if (setup_wizard === '1') {
        await signIn(again)
        const list = (await again.must('networks/list')) as { total: number }
        throwUnless(list.total === 1, 'the finished wizard left no network')
      } else {
        again.take(client)
        const info = (await again.must('wizard/initial-info')) as { draft?: { account?: { account: string } } }
        throwUnless(info.draft?.account?.account === owner.account, 'the draft did not survive')
        await again.must('wizard/finish')
      }
    })
    checkIntegrity(data)
    removeFolder(data)
  },
}

const restoring: Place = {
  name: 'restore',
  async round(random) {
    const data = mkdtempSync(`${tmpdir()}/lanward-kill-`)
    const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
    const client = clientOf(manager.http)
    await prepareWizard(client)
    await client.must('wizard/finish')
    const place = { country: 'PT', timezone: 'UTC' }
    await client.must('networks/add', { networkName: 'Before', ...place })
    const { name } = await client.must('backups/create', { history: false })
    await client.must('networks/add', { networkName: 'After', ...place })
    const [answer] = await Promise.all([client.try('backups/restore', { name }), killDuring(manager, random() * 900)])
    await withManager(data, async again => {
      await signIn(again)
      const list = (await again.must('networks/options')) as { result: { label: string }[] }
      const labels = list.result.map(network => network.label).join(' ')
      if (answer) throwUnless(labels === 'Harbour Before', `an acknowledged restore was lost: ${labels}`)
      throwUnless(['Harbour Before', 'Harbour Before After'].includes(labels), `half restored: ${labels}`)
    })
    checkIntegrity(data)
    removeFolder(data)
  },
}

const snmp = { type: 'snmp2c', community: 'public' }
type Adoption = { items: { state: string; deviceId?: number }[] }

const adopting: Place = {
  name: 'adoption',
  async round(random) {
    const data = mkdtempSync(`${tmpdir()}/lanward-kill-`)
    const farm = await startFarm(await freePort(), 28, 0)
    const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
    const client = clientOf(manager.http)
    await prepareWizard(client)
    await client.must('wizard/finish')
    const acknowledged = new Set<number>()
    const adopt = async () => {
      const found = Array.from({ length: 60 }, (_, i) => ({ address: farmAddress(i + 1), port: farm.port }))
      const started = await client.try('devices/adopt', { devices: found, credential: snmp })
      for (let i = 0; started && i < 400; i++) {
        const now = (await client.try('devices/adopt/result', { jobId: started.jobId })) as Adoption | undefined
        if (!now) return
        for (const { state, deviceId } of now.items) if (state === 'adopted' && deviceId) acknowledged.add(deviceId)
        await wait(10)
      }
    }
    await Promise.all([adopt(), killDuring(manager, 100 + random() * 900)])
    await withManager(data, async again => {
      await signIn(again)
      const list = (await again.must('devices/list', { pageSize: 200 })) as { result: { id: number }[] }
      const there = new Set(list.result.map(device => device.id))
      const lost = [...acknowledged].filter(id => !there.has(id))
      throwUnless(lost.length === 0, `${lost.length} of ${acknowledged.size} adopted devices are lost`)
    })
    await farm.end()
    checkIntegrity(data)
    removeFolder(data)
  },
}

const polling: Place = {
  name: 'heavy polling',
  async round(random) {
    const data = mkdtempSync(`${tmpdir()}/lanward-kill-`)
    const port = await freePort()
    await seedFleet(data, 300, port)
    const farm = await startFarm(port, 28, 10)
    const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
    const client = clientOf(manager.http)
    await signIn(client)
    const acknowledged: number[] = []
    const rename = async () => {
      for (let id = 1; id <= 300; id++) {
        const done = await client.try('devices/config/save', { id, name: `renamed ${id}` })
        if (!done) return
        acknowledged.push(id)
        await wait(10)
      }
    }
    await Promise.all([rename(), killDuring(manager, 500 + random() * 2500)])
    await withManager(data, async again => {
      await signIn(again)
      const list = (await again.must('devices/list', { pageSize: 200, search: 'renamed' })) as { total: number }
      throwUnless(list.total >= acknowledged.length, `${acknowledged.length - list.total} acknowledged names are lost`)
    })
    await farm.end()
    checkIntegrity(data)
    removeFolder(data)
  },
}

/** Files that lie half written: a name that a finished one never has. */
function halfFiles(data: string): string[] {
  const left = readdirSync(data, { recursive: true, encoding: 'utf8' })
  return left.filter(name => /\.(tmp|part|partial|writing)$|(^|\/)scratch-/.test(name))
}

type Saved = { id: string; revision: number; name: string }
/** What the manager of a folder acknowledged, kept over all its kills. `asked`: the setting that may have come without a word. */
type Acknowledged = {
  names: Set<string>
  networks: Set<string>
  backups: Set<string>
  setting?: string
  asked?: string
}
let writings: { data: string; known: Acknowledged; manager: Manager; n: number } | undefined

async function beginWriting() {
  const data = mkdtempSync(`${tmpdir()}/lanward-kill-`)
  const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  const client = clientOf(manager.http)
  await prepareWizard(client)
  await client.must('wizard/finish')
  const known: Acknowledged = { names: new Set(), networks: new Set(), backups: new Set() }
  return { data, known, manager, n: 0 }
}

type Writer = (at: string) => Promise<boolean>
/** Each writes one after the other until there is no answer any more. */
async function writeOn(writers: readonly Writer[], mark: string): Promise<void> {
  const goOn = async (write: Writer, at: number) => {
    for (let i = 0; await write(`${mark}-${at}-${i}`); ) i++
  }
  await Promise.all(writers.map(goOn))
}

function writersOf(client: Client, known: Acknowledged): Writer[] {
  const { names, networks, backups } = known
  const setting: Writer = async name => {
    const now = (await client.try('settings/radius/list', {})) as { result: Saved[] } | undefined
    if (!now) return false
    const [before] = now.result
    known.asked = name
    const input = { ...(before && { id: before.id, revision: before.revision }), name, server: '10.0.0.9' }
    const saved = await client.try('settings/radius/save', { ...input, secret: `secret of ${name}` })
    if (saved) known.setting = name
    return Boolean(saved)
  }
  const groups: Writer = async name => {
    const made = await client.try('groups/add', { groupName: name })
    if (made) names.add(name)
    return Boolean(made)
  }
  const file = { format: 'lanward-network', version: 1, name: 'x', country: 'PT', timezone: 'UTC', documents: [] }
  const imports: Writer = async name => {
    const groups = Array.from({ length: 20 }, (_, at) => ({ id: at, parent: null, name: `${at}`, description: '' }))
    const made = await client.try('networks/import', { file: { ...file, groups }, networkName: name })
    if (!made) return false
    networks.add(name)
    // Whole or not at all, and a manager holds 500.
    const gone = await client.try('networks/delete', { id: made.networkId })
    networks.delete(name)
    return Boolean(gone)
  }
  const archives: Writer = async () => {
    const made = await client.try('backups/create', { history: false })
    if (made) backups.add(String(made.name))
    return Boolean(made) && backups.size < 4
  }
  return [setting, groups, imports, archives]
}

async function checkWritten(client: Client, known: Acknowledged): Promise<void> {
  const { names, networks, backups } = known
  const { result } = (await client.must('settings/radius/list')) as { result: Saved[] }
  const expected = known.setting === undefined ? [known.asked] : [known.setting, known.asked]
  if (result[0] || known.setting !== undefined)
    throwUnless(expected.includes(result[0]?.name), `the setting is ${result[0]?.name}, not one of ${expected}`)
  known.setting = result[0]?.name
  const tree = JSON.stringify(await client.must('groups/tree'))
  const lost = [...names].filter(name => !tree.includes(`"${name}"`))
  throwUnless(lost.length === 0, `lost groups: ${lost.join(', ')}`)
  const { result: all } = (await client.must('networks/options')) as { result: { value: number; label: string }[] }
  for (const name of networks)
    throwUnless(
      all.some(one => one.label === name),
      `the imported ${name} is gone`,
    )
  for (const { value } of all.filter(one => one.label.startsWith('k'))) {
    const text = JSON.stringify(await client.must('groups/tree', { networkId: value }))
    throwUnless(text.includes('"19"') && text.includes('"0"'), `an import is there by half: ${text}`)
    await client.must('networks/delete', { id: value })
  }
  networks.clear()
  const kept = JSON.stringify(await client.must('backups/list'))
  for (const name of backups) throwUnless(kept.includes(name), `the backup ${name} is gone`)
}

const writing: Place = {
  name: 'settings, groups, imports and backups at once',
  async round(random) {
    writings ??= await beginWriting()
    const { data, known, manager } = writings
    const client = clientOf(manager.http)
    await signIn(client)
    await Promise.all([
      writeOn(writersOf(client, known), `k${writings.n++}`),
      killDuring(manager, 50 + random() * 1500),
    ])
    checkIntegrity(data)
    writings.manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
    const again = clientOf(writings.manager.http)
    await signIn(again)
    await checkWritten(again, known)
    throwUnless(halfFiles(data).length === 0, `half files: ${halfFiles(data).join(', ')}`)
  },
  async end() {
    await writings?.manager.stop()
    if (writings) removeFolder(writings.data)
    writings = undefined
  },
}

export const places: readonly Place[] = [wizardFinish, adopting, restoring, polling, writing]
