// A way to the internet that is cut and mended, as a person sees it: the manager polls a real gateway.
import { pathsScriptPath } from '@/server/drivers/linux/base/paths'
import { managerWith, overSsh } from './_change'
import { lab, until } from './_lab'

type Turn = [at: number, state: string]
type Way = { name: string; state: string; since?: number; by: string }
type Health = {
  state: string
  notices: { code: string; level: string; since?: number; count: number; names?: string[] }[]
}

let one: Awaited<ReturnType<typeof managerWith>>
/** The provider's router on the gateway's way; while it has no address nothing answers, and the link stays up. */
const router = (verb: 'add' | 'del') => lab.in('inet', ['ip', 'addr', verb, '203.0.113.1/24', 'dev', 'eth0'])

beforeAll(async () => {
  await lab.up()
  one = await managerWith([await overSsh('gw', 'gateway')], { window: 90, fleet: { pollMs: 2000 } })
  await one.ok('settings/wan/save', {
    ...{ name: 'Fibre', interface: 'eth0', connection: 'kept', metric: 1 },
    assign: { all: true },
  })
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  // The gateway remembers its rounds of a minute, here six: what was lost counts for so long after it was mended.
  const fewer = `sed -i 's/-le 60 /-le 6 /' ${pathsScriptPath} && grep -c 'le 6 ' ${pathsScriptPath}`
  expect((await lab.sh('gw', `${fewer} && systemctl restart lanward-paths`)).stdout).toBe('1\n')
})
afterAll(async () => {
  await one?.end()
  for (const device of ['inet', 'gw'] as const) await lab.reset(device)
})

const way = async () => ((await one.ok('wan/overview')).result as Way[])[0]
const turns = async () => ((await one.ok('wan/health')).result as { name: string; turns: Turn[] }[])[0]?.turns ?? []
const onDashboard = async () => ((await one.ok('dashboard/wan-overview')).result as Way[])[0]
const health = async () => (await one.ok('dashboard/health')) as unknown as Health
const stands = (state: string) =>
  until(async () => (await way())?.state === state && (await turns()).at(-1)?.[1] === state)

test('offline since it was cut, and online again since it was mended, in every place that tells it', async () => {
  await stands('online')
  expect(await way()).toMatchObject({ name: 'Fibre', by: 'targets' })
  expect((await health()).notices.map(({ code }) => code)).not.toContain('wanOffline')
  const cut = Date.now()
  await router('del')
  await stands('offline')
  const [since = 0] = (await turns()).at(-1) ?? []
  expect(since).toBeGreaterThanOrEqual(cut)
  expect(since).toBeLessThanOrEqual(Date.now())
  expect(await way()).toMatchObject({ name: 'Fibre', state: 'offline', since })
  expect(await onDashboard()).toMatchObject({ name: 'Fibre', state: 'offline', since })
  const told = await health()
  expect(told.state).toBe('critical')
  expect(told.notices[0]).toMatchObject({ code: 'wanOffline', level: 'critical', count: 1, names: ['Fibre'], since })
  const mended = Date.now()
  await router('add')
  await stands('online')
  const [again = 0] = (await turns()).at(-1) ?? []
  expect(again).toBeGreaterThanOrEqual(mended)
  expect(await way()).toMatchObject({ state: 'online', since: again })
  expect(await onDashboard()).toMatchObject({ state: 'online', since: again })
  const { state, notices } = await health()
  expect(state).not.toBe('critical')
  expect(notices.map(({ code }) => code)).not.toContain('wanOffline')
  // How it was stays to be seen.
  expect(await turns()).toContainEqual([since, 'offline'])
})
