import type { managerWith } from '../lab/_change'
import { air, lab } from '../lab/_lab'

// What is pushed to each device of the soak, and how it is seen that it came: from outside, not in the manager.

type Manager = Awaited<ReturnType<typeof managerWith>>
type Saved = { id: string; revision: number }
type Name = 'gw' | 'sw1' | 'ap1'

export type Place = {
  name: string
  device: Name
  /** Its number in the manager. */
  id: number
  /** Saves what the device should have: version `n`, under this name. */
  save(n: number, name: string): Promise<void>
  /** The device has version `n`. */
  has(n: number): Promise<boolean>
}

type Kind = { kind: string; data(n: number): object; has(n: number): Promise<boolean> }

const wifi: Kind = {
  kind: 'ssid',
  data: n => ({ security: 'wpa2', key: `correct horse ${n}` }),
  has: async () => false,
}
const confHas = async (device: Name, file: string, text: string) =>
  (await lab.in(device, ['cat', file])).stdout.includes(text)

const onAp: Kind = {
  ...wifi,
  has: async n =>
    (await air()).includes('state=ENABLED') &&
    (await confHas('ap1', '/etc/hostapd/lanward-wlan0.conf', `wpa_passphrase=correct horse ${n}\n`)),
}
const onOpenwrt: Kind = { ...wifi, has: n => confHas('sw1', '/tmp/ubus-wireless', `key='correct horse ${n}'`) }
const onGateway: Kind = {
  kind: 'wiredRule',
  data: n => ({ action: 'deny', from: 'wan', to: 'lan', protocol: 'tcp', ports: String(10_000 + n) }),
  has: async n => (await lab.in('gw', ['nft', 'list', 'table', 'inet', 'lanward'])).stdout.includes(`${10_000 + n}`),
}
const onSwitch: Kind = {
  kind: 'portProfile',
  data: n => ({ ports: ['p3'], description: `Soak ${n}` }),
  has: async n => {
    const alias = ['snmpget', '-v2c', '-c', 'public', '-Oqv', '10.77.0.2', '1.3.6.1.2.1.31.1.1.1.18.4']
    return (await lab.tool(...alias)).stdout.includes(`Soak ${n}`)
  },
}

/** The devices in the order of the manager's `ids`: access point, gateway, switch over SNMP, OpenWrt. */
export function placesOf(manager: Manager): Place[] {
  const kinds: [string, Name, Kind][] = [
    ['access point', 'ap1', onAp],
    ['gateway', 'gw', onGateway],
    ['switch', 'sw1', onSwitch],
    ['OpenWrt', 'sw1', onOpenwrt],
  ]
  return kinds.map(([name, device, { kind, data, has }], at) => {
    const id = manager.ids[at] as number
    let saved: Saved | undefined
    return {
      ...{ name, device, id, has },
      async save(n, title) {
        const assign = { all: false, groups: [], devices: [id] }
        const input = { ...saved, name: `${title} ${id}`, ...data(n), assign }
        saved = (await manager.ok(`settings/${kind}/save`, input)) as Saved
      },
    }
  })
}
