// What is made of steering is in golden/*/steering; here is what comes back, and how a push is proven.
import type { NativeBlock } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { steeringRenderer as linux } from '@/server/drivers/linux/wifi/steering'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { steeringRenderer as openwrt } from '@/server/drivers/openwrt/wifi/steering'
import { made } from './_golden'
import { startSshServer } from './ssh-server'

test('both systems know of it', () => {
  expect(linuxDriver.renderers).toContain(linux)
  expect(driver.renderers).toContain(openwrt)
})

test('what somebody changed of it on the device can be taken into the settings', () => {
  const [planned] = made('openwrt/steering/01-thresholds').blocks as [NativeBlock]
  const [without] = made('openwrt/steering/02-without-client-threshold').blocks as [NativeBlock]
  const changed = { ...without, text: without.text.replaceAll('-75', '-66') }
  expect(openwrt.adopt?.(changed, planned, [])).toEqual([
    { document: 'steering', fields: { roamingThreshold: -66, clientThreshold: undefined } },
  ])
})

test('a push is proven by what the running service says', async () => {
  let asked = 0
  const server = await startSshServer({
    auth: ({ method }) => method === 'none',
    exec(line) {
      if (line === 'ubus list') return { stdout: 'system\nusteer\n' }
      if (line.includes('get_config')) return { stdout: JSON.stringify({ roam_trigger_snr: ++asked > 1 ? -75 : 0 }) }
      return { stdout: '{}' }
    },
  })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  const problems = await driver.selfCheck(session, made('openwrt/steering/02-without-client-threshold'))
  driver.close(session)
  await server.close()
  expect([problems, asked]).toEqual([[], 2])
})
