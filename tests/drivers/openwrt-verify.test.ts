import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { words } from './openwrt-server'
import { type Answer, startSshServer } from './ssh-server'

// What netifd (wireless.c, wireless_device_status) and hostapd say of a radio while it is set up anew, and after.

const block = {
  id: 'uci:wireless.lw_a_radio0',
  text: "wireless.lw_a_radio0=wifi-iface\nwireless.lw_a_radio0.device='radio0'\nwireless.lw_a_radio0.mode='ap'",
}
const radio = (pending: boolean) => ({
  radio0: {
    ...{ up: !pending, pending, autostart: true, disabled: false, retry_setup_failed: false },
    interfaces: [{ section: 'lw_a_radio0', ifname: 'phy0-ap0', config: { mode: 'ap' } }],
  },
})

const running: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

test('a radio that is being set up anew is waited for, though hostapd still says what it did before', async () => {
  let asked = 0
  const answers: Record<string, () => Answer> = {
    'ubus list': () => ({ stdout: 'system\nnetwork.wireless\nhostapd.phy0-ap0\n' }),
    'ubus call system board': () => ({ stdout: '{}' }),
    'ubus call network.wireless status': () => ({ stdout: JSON.stringify(radio(++asked < 3)) }),
    'ubus call hostapd.phy0-ap0 get_status': () => ({ stdout: '{"status":"ENABLED"}' }),
  }
  const server = await startSshServer({
    auth: ({ method }) => method === 'none',
    exec: line => answers[words(line).join(' ')]?.() ?? { code: 0 },
  })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  running.push({ close: async () => driver.close(session) }, server)
  expect(await driver.selfCheck(session, { blocks: [block] })).toEqual([])
  expect(asked).toBe(3)
})
