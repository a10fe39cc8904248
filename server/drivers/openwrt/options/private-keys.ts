import type { NativeBlock } from '../../driver'
import { quote } from '../../shell'
import { type PrivateKey, vlansOf, withPrivateKeys } from '../../unix/private-keys'
import { marked } from '../../unix/secret'
import type { Ssid } from '../../unix/ssid'

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
  iface: string
  one: Ssid
  keys: readonly PrivateKey[]
  /** The device's network for a VLAN. */
  network(vlan: number): string | undefined
}

const block = (section: string, type: string, options: Option[], about: Partial<NativeBlock>): NativeBlock => ({
  id: `uci:wireless.${section}`,
  ...about,
  text: shown(section, type, options),
})

/** A `wifi-vlan` for each VLAN that a key or a RADIUS server puts clients into. */
export const vlanSections = (
  { name, iface, network }: Pick<Of, 'name' | 'iface' | 'network'>,
  vlans: readonly number[],
  about: Partial<NativeBlock>,
): NativeBlock[] =>
  vlans.map(vlan =>
    block(
      `${name}_v${vlan}`,
      'wifi-vlan',
      [
        ['iface', iface],
        ['name', `v${vlan}`],
        ['vid', String(vlan)],
        ['network', network(vlan) ?? ''],
      ],
      about,
    ),
  )

/** A `wifi-station` for each key, and a `wifi-vlan` for each VLAN that they lead to. */
export function keySections({ name, iface, one, keys, network }: Of): NativeBlock[] {
  if (!withPrivateKeys(one)) return []
  return [
    ...vlanSections({ name, iface, network }, vlansOf(keys), { kind: 'ppsk' }),
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
        { kind: 'ppsk', document },
      ),
    ),
  ]
}
