import type { Data } from '@/model/kind'
import { listKindIds, loadKind } from '@/model/registry'
import { randomDocument } from '../../model/_random'
import { randomOf } from '../../soak/random'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

// A script reads a setting, changes a field and saves it: what `get` gives, `save` takes, of every kind.

let manager: Manager
let browser: Browser
beforeAll(async () => {
  manager = await startTestManager()
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
