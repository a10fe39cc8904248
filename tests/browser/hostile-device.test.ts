import { quote } from '@/server/drivers/shell'
import { lab, until } from '../lab/_lab'
import { shownAsText } from './_as-text'
import { type Console, openConsole } from './_console'

// A device that is called as no device is.

const called = '=<img src=x onerror=hit=1>'
const said = '<script>window.hit=1</script>'

let here: Console

const system = (verb: string, what: string) => `lldpcli ${verb} system ${what}`
const idOf = async (name: string) => {
  const { result } = (await here.client.must('devices/list')) as { result: { id: number; name: string }[] }
  return result.find(one => one.name === name)?.id ?? 0
}

beforeAll(async () => {
  here = await openConsole()
  const told = [system('configure', `hostname ${quote(called)}`), system('configure', `description ${quote(said)}`)]
  // The other program of this name minds it.
  const names = [`busybox hostname ${quote(called)}`, ...told, 'lldpcli update'].join(' && ')
  expect(await lab.sh('ap1', names)).toMatchObject({ code: 0 })
  await here.adoptAll()
  // The DHCP server leaves such a name out.
  await lab.sh('c1', `busybox udhcpc -n -q -i eth0 -s /bin/true -x hostname:${quote(called)}`)
  const id = await idOf('sw1')
  await until(async () => {
    await here.client.must('devices/sync', { id })
    return JSON.stringify(await here.client.must('devices/info', { id })).includes(called)
  })
})
afterAll(async () => {
  await here?.close()
  const told = [system('unconfigure', 'hostname'), system('unconfigure', 'description'), 'lldpcli update']
  await lab.sh('ap1', ['hostname ap1', ...told].join('; '))
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

test('stands everywhere as it is called: itself, its neighbours, what was done, the file, the log', async () => {
  const { page } = here
  const shown = (path: string, wanted: readonly string[]) => shownAsText(page, path, wanted)
  const detail = async (name: string) => `/network/1/devices/detail?id=${await idOf(name)}`
  await shown('/network/1/devices', [called])
  await shown(await detail(called), [called])
  await shown(`${await detail('sw1')}&tab=neighbours`, [called])
  await shown(`${await detail('gw')}&tab=leases`, ['02:00:5E:10:00:'])
  await shown('/organization/changelog', [called])
  const file = await (await page.request.get('/app/exports/devices')).text()
  expect(file).toContain(`'${called}`)
  expect(file).not.toContain(`,${called}`)
  expect(here.manager.output()).not.toContain('\n=')
})
