// The changelog as it is written: a chain in which nothing can be edited, removed, moved or cut without being found.
import Database from 'better-sqlite3'
import { runCall } from '@/server/door/authorize'
import { calls } from '@/server/door/calls'
import type { AnyCall, BaseContext } from '@/server/kernel/call'
import { runCommand } from '@/server/manager/command/commands'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect([path, answer.retCode, answer.data.fields]).toEqual([path, 0, undefined])
  return answer.data
}

describe('verify-log', () => {
  type Verdict = {
    entries: number
    head: string
    problems: { problem: string; from?: number; to?: number; id?: number }[]
  }
  const verify = async (input: object = {}) => (await runCommand(manager.runtime, 'verify-log', input)).data as Verdict
  const change = (sql: string, ...values: unknown[]) => manager.runtime.sqlite.prepare(sql).run(...values)
  const problems = async (input?: object) => (await verify(input)).problems

  beforeEach(async () => {
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
      await must('networks/tags/add', { tagName: name })
  })

  test('an honest log passes, with any head that was ever its newest', async () => {
    const first = await verify()
    expect(first).toMatchObject({ problems: [] })
    expect(first.entries).toBeGreaterThan(6)
    await must('networks/tags/add', { tagName: 'Seven' })
    expect(await verify({ head: first.head })).toMatchObject({ entries: first.entries + 1, problems: [] })
  })

  test.each(['account', 'address', 'action', 'object', 'name', 'fields', 'kept', 'document'])(
    'an edited %s is found at its entry',
    async column => {
      change(`UPDATE changelog SET ${column} = '{"x":1}' WHERE id = 4`)
      expect(await problems()).toEqual([{ problem: 'changed', id: 4, at: expect.any(Number) }])
    },
  )

  test('so are another time, network and organization', async () => {
    for (const column of ['at', 'network', 'organization'])
      change(`UPDATE changelog SET ${column} = 77 WHERE id = ?`, 3)
    expect(await problems()).toMatchObject([{ problem: 'changed', id: 3 }])
  })

  test('a removed entry is found; with the numbers closed up again too', async () => {
    change('DELETE FROM changelog WHERE id = 4')
    expect(await problems()).toEqual([{ problem: 'missing', from: 4, to: 4 }])
    change('UPDATE changelog SET id = -id WHERE id > 4')
    change('UPDATE changelog SET id = -id - 1 WHERE id < 0')
    expect(await problems()).toContainEqual({ problem: 'changed', id: 4, at: expect.any(Number) })
  })

  test('the first one removed is found', async () => {
    change('DELETE FROM changelog WHERE id = 1')
    expect(await problems()).toEqual([{ problem: 'missing', from: 1, to: 1 }])
  })

  test('two entries that changed places are found', async () => {
    change('UPDATE changelog SET id = -1 WHERE id = 3')
    change('UPDATE changelog SET id = 3 WHERE id = 4')
    change('UPDATE changelog SET id = 4 WHERE id = -1')
    expect((await problems()).map(one => one.id)).toEqual([3, 4, 5])
  })

  test('a copy put in is found', async () => {
    change(
      'INSERT INTO changelog SELECT max(id) + 1, organization, network, at, account, address, action, object, name, fields, mac, document, kept FROM changelog',
    )
    expect(await problems()).toHaveLength(1)
  })

  test('a cut end is found by the number SQLite gave last, and by a head that was written down where that is forged', async () => {
    const { head, entries } = await verify()
    change('DELETE FROM changelog WHERE id > ?', entries - 2)
    expect(await problems()).toEqual([{ problem: 'missing', from: entries - 1, to: entries }])
    change("UPDATE sqlite_sequence SET seq = ? WHERE name = 'changelog'", entries - 2)
    expect(await problems()).toEqual([])
    expect(await problems({ head })).toEqual([{ problem: 'head', head }])
    // It grows past its former length again: honest entries do not stand for the ones that are gone.
    for (const name of ['A', 'B', 'C']) await must('networks/tags/add', { tagName: name })
    expect(await problems({ head })).toEqual([{ problem: 'head', head }])
  })

  test('a head that is none is refused', async () => {
    await expect(verify({ head: 'newest' })).rejects.toMatchObject({ code: 'invalidInput' })
  })

  test('inside a backup: it holds the head that its manifest tells, and the restored log goes on from there', async () => {
    const { data } = await runCommand(manager.runtime, 'backup', { history: false })
    const told = (await runCommand(manager.runtime, 'verify', { name: data.name })).data.changelogHead as string
    const inside = await verify({ archive: true, name: data.name })
    expect(inside).toMatchObject({ head: told, problems: [] })
    const later = (await verify()).head
    expect(later).not.toBe(told)
    expect(await problems({ head: told })).toEqual([])
    expect(await problems({ archive: true, name: data.name, head: later })).toEqual([{ problem: 'head', head: later }])
    await runCommand(manager.runtime, 'restore', { name: data.name })
    const sqlite = new Database(`${manager.data}/gen-2/lanward.sqlite`, { readonly: true })
    const rows = sqlite.prepare('SELECT action, organization FROM changelog ORDER BY id').all()
    sqlite.close()
    expect(rows).toHaveLength(inside.entries + 1)
    expect(rows.at(-1)).toEqual({ action: 'restore', organization: 1 })
  })
})

describe('nothing goes unlogged', () => {
  const every = calls as readonly AnyCall[]

  test('calls that write no entry of their own are few, and change something', () => {
    const unlogged = every.filter(call => call.changelog !== undefined && call.changelog !== 'entry')
    expect(unlogged.filter(call => !call.changes).map(call => call.path)).toEqual([])
    expect(unlogged.length / every.filter(call => call.changes).length).toBeLessThan(0.4)
  })

  const entries = () => manager.runtime.sqlite.prepare('SELECT action, object, address FROM changelog').all()
  const context = () =>
    ({
      runtime: manager.runtime,
      request: new Request('https://lanward.test/'),
      now: 1,
      address: '10.0.0.9',
    }) as BaseContext
  const plain: AnyCall = {
    path: 'x/y',
    tag: 'account',
    authority: 'session',
    scope: 'none',
    changes: true,
    input: calls[0].input,
    run: () => ({}),
  }

  test('a call that changes something and forgets its entry gets one; a refused or reading one does not', async () => {
    const before = entries().length
    await runCall(plain, context(), undefined, {})
    expect(entries().slice(before)).toEqual([{ action: 'call', object: 'x/y', address: '10.0.0.9' }])
    await runCall({ ...plain, changes: false }, context(), undefined, {})
    // Nobody fills the log who is not signed in.
    await runCall({ ...plain, authority: 'open' }, context(), undefined, {})
    const failing = { ...plain, run: () => Promise.reject(new Error('refused')) }
    await expect(runCall(failing, context(), undefined, {})).rejects.toThrow('refused')
    expect(entries()).toHaveLength(before + 1)
  })

  test('tags and the order of networks', async () => {
    const before = entries().length
    const { tagId } = await must('networks/tags/add', { tagName: 'Coast' })
    await must('networks/tags/edit', { tagId, tagName: 'Shore' })
    await must('networks/tags/delete', { tagId })
    await must('networks/sort', { ids: [1] })
    expect(entries().slice(before)).toMatchObject([
      { action: 'add', object: 'tag' },
      { action: 'edit', object: 'tag' },
      { action: 'delete', object: 'tag' },
      { action: 'sort', object: 'network' },
    ])
  })
})
