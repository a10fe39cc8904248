import { withRadiusAddresses } from '@/server/devices/change/plan/radius-names'
import type { DesiredDocument } from '@/server/drivers/driver'
import { type Manager, startTestManager } from '../_manager'

let manager: Manager
beforeAll(async () => {
  manager = await startTestManager()
})
afterAll(() => manager.stop())

const staff = (radius: object): DesiredDocument => ({ id: '1', kind: 'ssid', name: 'Staff', data: { radius } })
const addresses = (documents: DesiredDocument[]) => withRadiusAddresses(manager.runtime, documents)

test('a RADIUS server by its name is given to devices by its address', async () => {
  const [found] = await addresses([staff({ server: 'localhost', secret: 's' })])
  expect(found?.data.radius).toEqual({ server: '127.0.0.1', secret: 's' })
})

test('plans of several devices share the document that was made', async () => {
  const document = staff({ server: 'localhost' })
  expect((await addresses([document]))[0]).toBe((await addresses([document]))[0])
})

test('an address stays what it is, and a name that nobody knows stays a name', async () => {
  const plain = staff({ server: '10.0.0.9', secondServer: 'fd00::1' })
  expect((await addresses([plain]))[0]).toBe(plain)
  const [unknown] = await addresses([staff({ server: 'nobody.invalid' })])
  expect(unknown?.data.radius).toEqual({ server: 'nobody.invalid' })
})
