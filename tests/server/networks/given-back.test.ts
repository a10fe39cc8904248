import { devices } from '@/db/schema'
import type { Data } from '@/model/kind'
import { listKindIds, loadKind, type OwnKindId, ownKindIds, ownPath, singleKindIds } from '@/model/registry'
import { startFeedback } from '@/server/manager/feedback/deliver'
import { randomDocument } from '../../model/_random'
import { randomOf } from '../../soak/random'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

// A script reads a setting, changes a field and saves it: what `get` gives, `save` takes, of every kind.

let manager: Manager
let browser: Browser
beforeAll(async () => {
  manager = await startTestManager({ starters: [startFeedback] })
  browser = await finishedWizard(manager)
})
afterAll(() => manager.stop())

const tries = 100
/** What others refer to comes first; a LAN before a WAN, which may be given by DHCP where its own network is taken. */
const order = [
  ...new Set([
    ...(['schedule', 'radius', 'splash', 'smsGateway', 'portal', 'lan', 'wan', 'ssid'] as const),
    ...listKindIds,
  ]),
]
const ids: Record<string, string[]> = {}

/** A random document of a kind that this network takes, by its id. */
async function made(id: (typeof listKindIds)[number]): Promise<string> {
  const kind = await loadKind(id)
  const random = randomOf(11)
  const refused: unknown[] = []
  for (let left = tries; left > 0; left--) {
    const answer = await browser.post(`settings/${id}/save`, randomDocument(kind, random, { ids }))
    if (answer.retCode === 0) return answer.data.id as string
    refused.push(answer.data.fields)
  }
  throw new Error(`no ${id} was taken: ${JSON.stringify(refused.slice(0, 3))}`)
}

test.each(order)('%s', async id => {
  const own = await made(id)
  ids[id] = [own]
  const get = async () => (await browser.post(`settings/${id}/get`, { id: own })).data as Data
  const { changedAt, revision, ...read } = await get()
  const back = await browser.post(`settings/${id}/save`, { ...read, changedAt, revision })
  expect([back.retCode, back.data.fields]).toEqual([0, undefined])
  const { changedAt: _later, revision: next, ...now } = await get()
  expect(now).toEqual(read)
  expect(next).toBeGreaterThanOrEqual(Number(revision))
})

/** Those that nobody can keep as they are before something was set. */
const begins: Partial<Record<OwnKindId, object>> = {
  mailServer: {
    host: '192.0.2.9',
    port: 25,
    security: 'none',
    from: 'wifi@example.test',
    publicUrl: 'https://nms.test',
  },
  directory: {
    ...{ host: '192.0.2.9', base: 'dc=example,dc=test', filter: '(uid={name})', accountAttribute: 'uid' },
    ...{ bindDn: 'cn=reader', bindPassword: 'correct horse' },
  },
}

/** A device of the network, which nothing is pushed to. */
function device(): number {
  const row = {
    ...{
      organization: 1,
      network: 1,
      name: 'ap',
      kind: 'ap' as const,
      driver: 'openwrt',
      address: '192.0.2.77',
      port: 22,
    },
    ...{ status: 1, statusAt: 0, createdAt: 0 },
  }
  return manager.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
}

describe('of what exists once', () => {
  let deviceId: number
  beforeAll(() => {
    deviceId = device()
  })
  const read = async (path: string, input: object = {}) => (await browser.post(path, input)).data as Data

  test.each(singleKindIds)('%s: network, group and device', async id => {
    const kind = await loadKind(id)
    const { groupId } = (await browser.post('groups/add', { groupName: `Of ${id}`, parentId: 0 })).data
    for (const scope of [{}, { group: groupId }, { device: deviceId }]) {
      const path = `settings/${id}/get`
      const random = randomOf(7)
      // As much of it as this network takes.
      for (let left = tries, kept = false; left > 0 && !kept; left--) {
        const { revision } = await read(path, { scope })
        const fields = randomDocument(kind, random, { ids })
        kept = (await browser.post(`settings/${id}/save`, { ...fields, scope, revision })).retCode === 0
      }
      const { revision, ...before } = await read(path, { scope })
      const back = await browser.post(`settings/${id}/save`, { ...before, revision })
      expect([back.retCode, back.data.fields]).toEqual([0, undefined])
      const { revision: next, ...after } = await read(path, { scope })
      expect(after).toEqual(before)
      expect(next).toBeGreaterThan(Number(revision))
    }
  })

  test('a field that is named beside what was read goes before it', async () => {
    const before = await read('settings/steering/get')
    const changed = { ...before, own: { ...(before.own as Data), enabled: false }, enabled: true }
    expect((await browser.post('settings/steering/save', changed)).retCode).toBe(0)
    expect((await read('settings/steering/get')).own).toMatchObject({ enabled: true })
  })

  test('what is not what was read is refused at its field', async () => {
    const { revision } = await read('settings/steering/get')
    const save = async (more: object) =>
      (await browser.post('settings/steering/save', { revision, ...more })).data.fields as Data
    expect(Object.keys(await save({ own: 7 }))).toEqual(['own'])
    expect(Object.keys(await save({ own: { unheard: 1 } }))).toEqual(['unheard'])
    expect(Object.keys(await save({ scope: { scope: 'planet', id: 1 } }))).toEqual(['scope.scope'])
  })

  // A provider is met in tests/server/people/saml.test.ts, which saves what it reads, too.
  test.each(ownKindIds.filter(id => id !== 'saml'))('%s of the manager', async id => {
    const [get, save] = [ownPath(id, 'get'), ownPath(id, 'save')]
    const begin = begins[id]
    if (begin) {
      const { revision } = await read(get)
      expect((await browser.post(save, { ...begin, revision })).data.fields).toBeUndefined()
    }
    const { revision, ...before } = await read(get)
    const back = await browser.post(save, { ...before, revision })
    expect([back.retCode, back.data.fields]).toEqual([0, undefined])
    const { revision: next, ...after } = await read(get)
    expect(after).toEqual(before)
    expect(next).toBeGreaterThanOrEqual(Number(revision))
  })
})
