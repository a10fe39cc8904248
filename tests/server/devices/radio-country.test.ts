// The country of an OpenWrt's radios: an OpenWrt 24.10 over a real SSH server is adopted, and planned for.
import { changelog, importedItems, networks } from '@/db/schema'
import { engineOf, findDevice, planKnown } from '@/server/devices/change/plan/plan'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { fleetOf } from '@/server/devices/link/fleet'
import { openKept } from '@/server/devices/link/import-store'
import { startOpenwrt } from '../../drivers/openwrt-server'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let owner: Browser
const ends: (() => unknown)[] = []
beforeEach(async () => {
  one = await startTestManager({
    starters: [
      fleetInProcess({ pollMs: 3_600_000 }),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)), 60)
      },
    ],
  })
  owner = await finishedWizard(one)
  one.runtime.db.update(networks).set({ country: 'DE' }).run()
})
afterEach(async () => {
  await one.stop()
  for (const end of ends.splice(0)) await end()
})

const withCountries = (a: string | undefined, b: string | undefined) => (text: string) =>
  Object.entries({ radio0: a, radio1: b }).reduce(
    (all, [radio, country]) =>
      country === undefined
        ? all
        : all.replace(`wireless.${radio}.disabled=`, `wireless.${radio}.country='${country}'\n$&`),
    text,
  )

async function adopted(configured: (text: string) => string): Promise<number> {
  const router = await startOpenwrt({ configured })
  ends.push(router.close)
  const login = { credential: { type: 'ssh', user: 'root', password: 'x' } }
  const device = { address: '127.0.0.1', port: router.port, hostKey: router.fingerprint }
  const { data } = await owner.post('devices/adopt', { devices: [device], logins: [login] })
  const state = await until(async () => {
    const answer = (await owner.post('devices/adopt/result', { jobId: data.jobId })).data
    return answer.state !== 'running' && answer
  })
  expect(state.items).toMatchObject([{ state: 'adopted' }])
  return (state.items as { deviceId: number }[])[0]?.deviceId ?? 0
}
const imported = () =>
  one.runtime.db
    .select()
    .from(importedItems)
    .all()
    .map(row => [row.item, openKept(one.runtime, row).options])
const own = async (device: number) => (await owner.post('settings/radio/get', { scope: { device } })).data.own
async function countries(device: number): Promise<string[]> {
  const row = findDevice(one.runtime, device)
  if (!row) throw new Error('no device')
  const { planned } = await planKnown(engineOf(one.runtime), row)
  return planned.blocks.map(block => block.text).toSorted()
}

test.each<[string, string | undefined, string | undefined, object, string | undefined]>([
  ['the same country as the network: it follows the network', 'DE', 'DE', {}, 'DE'],
  ['another one: the device keeps it by a setting of its own', 'US', 'US', { country: 'US' }, 'US'],
  ['one radio has none: it gets what the other has', undefined, 'US', { country: 'US' }, 'US'],
  ['none: a push would set the network’s, and the plan says so', undefined, undefined, {}, 'DE'],
  ['00 on a radio of 6 GHz, as the factory has it: that is none', undefined, '00', {}, 'DE'],
  ['00 beside another one: it gets what the other has', '00', 'US', { country: 'US' }, 'US'],
])('adopted with %s', async (_name, a, b, kept, planned) => {
  const device = await adopted(withCountries(a, b))
  const words = (country?: string) => ({ country: country === undefined ? null : `'${country}'` })
  expect(imported()).toEqual([
    ['uci:wireless.radio0', words(a)],
    ['uci:wireless.radio1', words(b)],
  ])
  expect(await own(device)).toEqual(kept)
  expect(await countries(device)).toEqual([0, 1].map(at => `wireless.radio${at}.country='${planned}'`))
  const actions = one.runtime.db
    .select()
    .from(changelog)
    .all()
    .map(row => row.action)
  expect(actions.slice(-1 - Object.keys(kept).length)).toEqual(['adopt', ...Object.keys(kept).map(() => 'edit')])
})

test.each([
  ['radios of two countries stay their own', 'US', 'JP', []],
  ['one whose country no setting can say stays its own', 'xx', undefined, [['uci:wireless.radio1', { country: null }]]],
] as const)('%s', async (_name, a, b, kept) => {
  await adopted(withCountries(a, b))
  expect(imported()).toEqual(kept)
})

test.each([
  ['reaches a radio that has it from there', 'DE', 'AT'],
  ['leaves one that has its own', 'US', 'US'],
])('the network’s country, changed, %s', async (_name, has, gets) => {
  const device = await adopted(withCountries(has, has))
  one.runtime.db.update(networks).set({ country: 'AT' }).run()
  expect(await countries(device)).toEqual([0, 1].map(at => `wireless.radio${at}.country='${gets}'`))
})
