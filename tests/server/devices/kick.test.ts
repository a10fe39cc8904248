// Disconnecting clients: who is asked, who is refused and why, and what stays of it.
import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { DeviceError } from '@/server/drivers/driver'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { addDevice, clientTable, station } from './_clients'

const [phone, tablet, till] = ['5c:cb:99:4e:21:b7', '5c:cb:99:4e:21:b8', '5c:cb:99:4e:21:b9'] as const
const nobody = '5c:cb:99:00:00:00'
/** On an access point that is only read. */
const guest = '5c:cb:99:00:00:01'
let manager: Manager
let browser: Browser
let site: ReturnType<typeof clientTable>
let asked: { id: number; macs: string[] }[]
let broken: number | undefined

beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
  asked = []
  broken = undefined
  site = clientTable(manager, {
    kick(input: { id: number; macs: string[] }) {
      asked.push(input)
      if (input.id === broken) throw new DeviceError('timeout')
      return input.macs
    },
  } as never)
  addDevice(manager, 'ap1')
  addDevice(manager, 'ap2')
  addDevice(manager, 'ap3', 'snmp')
  const wired = { hosts: [{ mac: till, port: 'eth1', source: 'fdb' as const }] }
  site.reads(1, { stations: [station(phone)], ...wired })
  site.reads(2, { stations: [station(tablet)] })
  site.reads(3, { stations: [station(guest)] })
  await site.record(0)
})
afterEach(() => manager.stop())

const kick = (...macs: string[]) => browser.post('clients/kick', { macs })
const deeds = async (mac: string) =>
  ((await browser.post('clients/roaming', { mac })).data.result as { what: string }[]).map(one => one.what)

test('each access point is asked for its own clients; who is wired or away is told as left', async () => {
  const { data } = await kick(phone, tablet, till, nobody)
  expect(data).toEqual({ kicked: [phone, tablet], left: [till, nobody] })
  expect(asked).toEqual([
    { id: 1, macs: [phone] },
    { id: 2, macs: [tablet] },
  ])
  expect(await deeds(phone)).toEqual(['kicked', 'joined'])
  expect(await deeds(till)).toEqual(['joined'])
  expect(JSON.stringify((await browser.post('changelog/list')).data)).toContain('"action":"kick"')
})

test('the list says of whom it can be done: Wi-Fi clients of devices whose driver does it', async () => {
  const { data } = await browser.post('clients/list', { pageSize: 100 })
  const can = Object.fromEntries((data.result as { mac: string; can?: object }[]).map(one => [one.mac, one.can]))
  expect(can).toEqual({ [phone]: { kick: true }, [tablet]: { kick: true }, [till]: undefined, [guest]: undefined })
})

test('refused where it is nobody: none on Wi-Fi, a device that cannot, a device that does not answer', async () => {
  expect((await kick(till, nobody)).retCode).toBe(40005)
  expect(await kick(guest)).toMatchObject({ retCode: 40006, data: { device: 'ap3' } })
  expect(asked).toEqual([])
  broken = 1
  expect(await kick(phone)).toMatchObject({ retCode: 30005, data: { reason: 'timeout' } })
  expect(await deeds(phone)).toEqual(['joined'])
  // The others are put out all the same.
  expect((await kick(phone, tablet)).data).toEqual({ kicked: [tablet], left: [phone] })
  expect((await kick()).data).toMatchObject({ fields: { macs: 'required' } })
})

test('what is blocked and let in again stands in the trail once', async () => {
  for (const path of ['clients/block', 'clients/block', 'clients/unblock', 'clients/unblock'])
    expect((await browser.post(path, { macs: [phone, phone] })).retCode).toBe(0)
  expect(await deeds(phone)).toEqual(['unblocked', 'blocked', 'joined'])
})

test('a client of a device that did not answer its last poll is marked so, in the list and by itself', async () => {
  const marked = async () => {
    const { data } = await browser.post('clients/list', { pageSize: 100 })
    return (data.result as { mac: string; silent?: true }[]).flatMap(one => (one.silent ? [one.mac] : []))
  }
  expect(await marked()).toEqual([])
  manager.runtime.db.update(devices).set({ reason: 'timeout' }).where(eq(devices.id, 2)).run()
  expect(await marked()).toEqual([tablet])
  expect((await browser.post('clients/info', { mac: tablet })).data).toMatchObject({ online: true, silent: true })
})
