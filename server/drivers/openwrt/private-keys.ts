import type { NativeBlock } from '../driver'
import { quote } from '../shell'
import { type PrivateKey, vlansOf, withPrivateKeys } from '../unix/private-keys'
import { marked } from '../unix/secret'
import type { Ssid } from '../unix/ssid'

export type Option = [name: string, ...values: string[]]

/** A section of /etc/config/wireless as `uci show` prints it. */
export const shown = (name: string, type: string, options: readonly Option[]): string =>
  [
    `wireless.${name}=${type}`,
    ...options.map(([option, ...values]) => `wireless.${name}.${option}=${values.map(quote).join(' ')}`),
  ].join('\n')

type Of = {
  /** The network's section, which these name. */
  name: string
  /** The network's own section, where that is one of the system's. */
  iface?: string
  one: Ssid
  keys: readonly PrivateKey[]
  /** The device's network for a VLAN. */
  network(vlan: number): string | undefined
}

/** A `wifi-station` for each key, and a `wifi-vlan` for each VLAN that they lead to. */
export function keySections({ name, iface = name, one, keys, network }: Of): NativeBlock[] {
  if (!withPrivateKeys(one)) return []
  const block = (section: string, type: string, options: Option[], document?: string): NativeBlock => ({
    id: `uci:wireless.${section}`,
    kind: 'ppsk',
    ...(document !== undefined && { document }),
    text: shown(section, type, options),
  })
  return [
    ...vlansOf(keys).map(vlan =>
      block(`${name}_v${vlan}`, 'wifi-vlan', [
        ['iface', iface],
        ['name', `v${vlan}`],
        ['vid', String(vlan)],
        ['network', network(vlan) ?? ''],
      ]),
    ),
    ...keys.map(({ id, key, mac, vlan, document }) =>
      block(
        `${name}_k${id}`,
        'wifi-station',
        [
          ['iface', iface],
          ['key', marked(key)],
          ...(mac === undefined ? [] : [['mac', mac] as Option]),
          ...(vlan === undefined ? [] : [['vid', String(vlan)] as Option]),
        ],
        document,
      ),
    ),
  ]
}
