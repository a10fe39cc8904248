import type { NativeBlock } from '../../driver'
import type { Interface } from '../../observation'
import { type PrivateKey, vlansOf, withPrivateKeys } from '../../unix/private-keys'
import { marked } from '../../unix/secret'
import type { Ssid } from '../../unix/ssid'
import { vlanBridge } from '../base/lan-bridge'
import { keysPath, vlansPath } from './hostapd-conf'

const note = '# Written by Lanward. Changes made here are replaced.\n'

/** hostapd takes what follows the MAC address and a blank as the key, blanks and all; no MAC address stands for any. */
const keyLine = ({ id, vlan, mac, key }: PrivateKey): string =>
  `keyid=${id} ${vlan === undefined ? '' : `vlanid=${vlan} `}${mac ?? '00:00:00:00:00:00'} ${marked(key)}\n`

/** An interface's name has 15 characters at most. */
const vlanInterface = (bss: string, vlan: number) => `${bss.slice(0, 10)}.${vlan}`

/** Where the clients of a network go whom a key or a RADIUS server puts into a VLAN. */
export function vlansBlock(
  one: Ssid,
  radio: string,
  bss: string,
  vlans: readonly number[],
  interfaces: Interface[] | undefined,
  about: Partial<NativeBlock>,
): NativeBlock {
  const lines = vlans.map(vlan => `${vlan} ${vlanInterface(bss, vlan)} ${vlanBridge(interfaces, vlan)}\n`)
  return { id: `file:${vlansPath(radio, one.id)}`, ...about, text: note + lines.join('') }
}

/** The files of a network's keys on one radio, `bss` its interface; none for a network with one key for all. */
export function keyBlocks(
  one: Ssid,
  radio: string,
  bss: string,
  keys: readonly PrivateKey[],
  interfaces: Interface[] | undefined,
): NativeBlock[] {
  if (!withPrivateKeys(one)) return []
  const about = { kind: 'ppsk', ...(keys.length === 1 && { document: keys[0]?.document }) }
  const file = { id: `file:${keysPath(radio, one.id)}`, ...about, text: note + keys.map(keyLine).join('') }
  return [
    // With WPA3 they stand in the radio's own file: hostapd 2.10 has no other for them.
    ...(one.security === 'ppsk' ? [file] : []),
    vlansBlock(one, radio, bss, vlansOf(keys), interfaces, { kind: 'ppsk' }),
  ]
}
