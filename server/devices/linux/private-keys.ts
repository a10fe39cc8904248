import type { NativeBlock, RenderInput, Warning } from '../driver'
import type { Radio } from '../observation'
import { type PrivateKey, privateKeys } from '../unix/private-keys'
import { marked } from '../unix/secret'
import type { Ssid } from '../unix/ssid'
import { keysPath, vlansPath } from './hostapd-conf'
import { vlanBridge } from './lan-bridge'

const note = '# Written by Lanward. Changes made here are replaced.\n'

/** hostapd takes what follows the MAC address and a blank as the key, blanks and all; no MAC address stands for any. */
const keyLine = ({ id, vlan, mac, key }: PrivateKey): string =>
  `keyid=${id} ${vlan === undefined ? '' : `vlanid=${vlan} `}${mac ?? '00:00:00:00:00:00'} ${marked(key)}\n`

/** An interface's name has 15 characters at most. */
const vlanInterface = (bss: string, vlan: number) => `${bss.slice(0, 10)}.${vlan}`

/** The files of a network's keys on one radio, `bss` its interface; none for a network with one key for all. */
export function keyBlocks(
  one: Ssid,
  radio: Radio,
  bss: string,
  { documents, observation }: RenderInput,
  warnings: Warning[],
): NativeBlock[] {
  if (one.security !== 'ppsk') return []
  const all = privateKeys(one, documents)
  const bridgeOf = (vlan: number) => vlanBridge(observation?.interfaces, vlan)
  const reached = all.filter(({ vlan }) => vlan === undefined || bridgeOf(vlan))
  const values = { ssid: one.name, radio: radio.name }
  for (const key of all.filter(one => !reached.includes(one)))
    warnings.push({
      code: 'privateKeyVlan',
      kind: 'ppsk',
      document: key.document,
      values: { ...values, name: key.name, vlan: key.vlan ?? 0 },
    })
  if (reached.length === 0) warnings.push({ code: 'privateKeyNone', kind: 'ssid', document: one.id, values })
  const vlans = [...new Set(reached.flatMap(({ vlan }) => vlan ?? []))].sort((a, b) => a - b)
  const about = { kind: 'ppsk', ...(reached.length === 1 && { document: reached[0]?.document }) }
  const lines = vlans.map(vlan => `${vlan} ${vlanInterface(bss, vlan)} ${bridgeOf(vlan)}\n`)
  return [
    { id: `file:${keysPath(radio.key, one.id)}`, ...about, text: note + reached.map(keyLine).join('') },
    { id: `file:${vlansPath(radio.key, one.id)}`, kind: 'ppsk', text: note + lines.join('') },
  ]
}
