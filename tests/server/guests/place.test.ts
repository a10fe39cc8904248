// Where guests are, and which servers are asked for them.
import { findPlace, findRadius } from '@/server/guests/sessions/place'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, person } from '../_people'

let manager: Manager
let owner: Browser
beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
})
afterAll(() => manager.stop())

/** The RADIUS server of a new guest LAN that somebody makes in a network of theirs. */
async function radiusOf(who: Browser, networkId: number, server: object) {
  const made = async (path: string, body: object) => {
    const answer = await who.post(path, { networkId, ...body })
    expect([path, answer.retCode, answer.data]).toEqual([path, 0, answer.data])
    return String(answer.data.id)
  }
  const radius = await made('settings/radius/save', { name: 'Door', ...server })
  const portal = await made('settings/portal/save', { name: 'Guests', methods: ['radius'], radius })
  const assign = { all: true, groups: [], devices: [] }
  const address = { vlan: 66, address: '10.66.0.1/24', dhcp: false }
  const lan = await made('settings/lan/save', { name: 'Guest LAN', ...address, portal, assign })
  const place = await findPlace(manager.runtime, lan)
  return place && findRadius(manager.runtime, place)
}

test('a portal of another company asks no RADIUS server on the manager’s own machine; one of whoever runs it may', async () => {
  const company = organization(manager, 'Elsewhere')
  const there = network(manager, 'There', company)
  const head = await person(manager, { role: 'superAdministrator', all: true, organization: company })
  const server = { server: 'radius.lan', secret: 'Lighthouse-Secret' }
  expect(await radiusOf(head, there, server)).toMatchObject({ server: 'radius.lan', notSelf: true })
  expect(await radiusOf(owner, 1, server)).not.toHaveProperty('notSelf')
})
