// The first steps with a manager: ticked off by what it really has, each for who may do it.

import { accounts, deployments, devices, documents } from '@/db/schema'
import { firstSteps } from '@/model/guide'
import { backupState } from '@/server/manager/backups/state'
import { saveMailServer } from '../_mail-server'
import { finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'

let manager: Manager
beforeEach(async () => {
  manager = await startTestManager()
})
afterEach(() => manager.stop())

type Step = { id: string; path: string; done: boolean }
const stepsOf = async (browser: { post: ReturnType<Manager['browser']>['post'] }) =>
  (await browser.post('guide/get')).data.steps as Step[]

const at = { createdAt: 1 }
const gateway = { name: 'gw', address: '10.0.0.1', port: 22, kind: 'gateway', driver: 'linux' } as const

/** What each step is about, made as the product stores it. */
const make: Record<string, () => unknown> = {
  network: () => undefined,
  device: () =>
    manager.runtime.db
      .insert(devices)
      .values({ ...at, ...gateway, organization: 1, network: 1, status: 1, statusAt: 1 })
      .run(),
  wifi: () =>
    manager.runtime.db
      .insert(documents)
      .values({
        ...{ ...at, id: 'a', organization: 1, scope: 'network', scopeId: 1, kind: 'ssid', name: 'Guests' },
        ...{ data: '{}', changedAt: 1, changedBy: 'x' },
      })
      .run(),
  push: () =>
    manager.runtime.db
      .insert(deployments)
      .values({ ...at, id: 'p', organization: 1, device: 1, state: 'applied', by: 'x' })
      .run(),
  mfa: () => manager.runtime.db.update(accounts).set({ mfa: 'sealed' }).run(),
  people: () =>
    manager.runtime.db
      .insert(accounts)
      .values({
        ...{ ...at, organization: 1, account: 'rita', username: 'rita1', role: 'guestEditor', password: '' },
        ...{ passwordChangedAt: 1, state: 'active' },
      })
      .run(),
  mail: () =>
    saveMailServer(manager.runtime, {
      ...{ host: 'mail.test', port: 25, security: 'none', verify: true, user: '', password: '' },
      ...{ from: 'a@b.test', fromName: '', replyTo: '', publicUrl: '' },
    }),
  backup: () =>
    backupState.change(manager.runtime.db, {
      lastProven: { name: 'x', at: 1, documents: 0, devices: 0, portable: true },
    }),
}

test('each step is open until what it asks for is there, and only that one is then done', async () => {
  const owner = await finishedWizard(manager)
  expect((await stepsOf(owner)).map(step => step.id)).toEqual(firstSteps.map(step => step.id))
  const done = new Set(['network'])
  for (const { id } of firstSteps) {
    make[id]?.()
    done.add(id)
    expect((await stepsOf(owner)).filter(step => step.done).map(step => step.id)).toEqual(
      firstSteps.map(step => step.id).filter(one => done.has(one)),
    )
  }
})

test('a push that went back counts as none, who was invited counts, an account that is disabled as nobody', async () => {
  const owner = await finishedWizard(manager)
  for (const id of ['device', 'push', 'people']) make[id]?.()
  manager.runtime.db.update(deployments).set({ state: 'reverted' }).run()
  const openOnes = async (state: string) => {
    manager.runtime.sqlite.prepare("UPDATE accounts SET state = ? WHERE account = 'rita'").run(state)
    return (await stepsOf(owner)).filter(step => !step.done).map(step => step.id)
  }
  const invited = await openOnes('inactivated')
  expect([invited.includes('push'), invited.includes('people')]).toEqual([true, false])
  expect(await openOnes('disabled')).toContain('people')
})

test('a person sees the steps that are theirs, and counts what is in their networks alone', async () => {
  await finishedWizard(manager)
  make.device?.()
  const own = network(manager, 'Own')
  const local = await person(manager, { role: 'networkAdministrator', networks: [own] })
  const seen = await stepsOf(local)
  expect(seen.map(({ id, done }) => [id, done])).toEqual([
    ['device', false],
    ['wifi', false],
    ['push', false],
    ['mfa', false],
    ['people', true],
  ])
  expect(seen[0]?.path).toBe(`/network/${own}/devices/form`)
  const guest = await person(manager, { role: 'guestEditor' })
  expect((await stepsOf(guest)).map(step => step.id)).toEqual(['mfa'])
})

test('how much of the guide was seen is kept for each account', async () => {
  const owner = await finishedWizard(manager)
  const other = await person(manager, { role: 'platformAdministrator' })
  for (const step of [1, 3, 4, 0, 4]) {
    expect((await owner.post('guide/step', { step })).data).toEqual({ step })
    expect((await owner.post('guide/get')).data.step).toBe(step)
  }
  expect((await other.post('guide/get')).data.step).toBe(0)
  for (const step of [-1, 5, 1.5])
    expect(Object.keys((await owner.post('guide/step', { step })).data.fields as object)).toEqual(['step'])
})

test('where the manual opens is told to whoever is signed in, by GET, too', async () => {
  const owner = await finishedWizard(manager)
  const answer = await owner.raw('sso/user/manual', { method: 'GET' })
  const { value } = ((await answer.json()) as { data: { value: string } }).data
  expect(value).toBe((await owner.post('sso/user/manual')).data.value)
  const paths = JSON.stringify((await owner.post('menu')).data.menus)
  expect(paths).toContain(`"${value}"`)
  expect((await manager.browser().post('sso/user/manual')).status).toBe(401)
})
