import { createHash } from 'node:crypto'
import { wirelessRule } from '@/model/firewall/wireless'
import type { KindId } from '@/model/registry'
import { bandwidthRule } from '@/model/traffic/bandwidth'
import type { NativeBlock, RenderInput } from '../../driver'
import { blockedClients } from '../../unix/blocked'
import type { Ssid } from '../../unix/ssid'
import { ssidLimits } from '../../unix/ssid-limits'
import { wirelessRules } from '../../unix/wireless-rules'
import type { ImportedItem } from '../../unmanaged'
import { optionsOf } from './wifi-back'

// Interfaces of the networks that rules are about. netifd numbers them anew whenever one is added, so these get a name
// of their own. It leaves room for `-v4094`, which netifd adds for a VLAN that a private key leads to.

/** Documents that ask for a name. */
export const naming: KindId[] = [wirelessRule.id, bandwidthRule.id]

const nameOf = (section: string) => `lw${createHash('sha256').update(section).digest('hex').slice(0, 7)}`

/** Packets are told apart in the bridge: what a system as it comes has no module for. */
export const filtersAir = ({ facts: { capabilities } }: Pick<RenderInput, 'facts'>): boolean =>
  ['wifi', 'fw4', 'nftBridge'].every(one => capabilities.includes(one))

/** The interface of a section of ours, where a rule is about its network. */
export function airName(section: string, network: string, input: RenderInput): string | undefined {
  const { documents } = input
  const named =
    wirelessRules(documents).some(one => one.network === undefined || one.network === network) ||
    ssidLimits(documents).some(one => one.network === network)
  return named && filtersAir(input) ? nameOf(section) : undefined
}

/**
 * Whether what two clients of one access point send each other is to go through the bridge, where rules, rates and blocks
 * see it: the scripts of 25.12 leave it to the radio, those before do not. A network of ours has it from the start, so that
 * blocking somebody takes none off the air; one that was imported stays as it is until somebody is blocked.
 */
export function judgesClients(
  { isolation }: Pick<Ssid, 'isolation'>,
  { named, imported }: { named: string | undefined; imported: ImportedItem | undefined },
  input: RenderInput,
): boolean {
  if (isolation || !filtersAir(input)) return false
  const leaves = input.facts.capabilities.includes('ucodeWifi')
  return imported ? leaves && blockedClients(input.documents).length > 0 : leaves || named !== undefined
}

/** The named interfaces in a plan's sections, with those of the VLANs on them. */
export function sentOver(blocks: readonly NativeBlock[]): { name: string; interface: string }[] {
  const sections = blocks.map(({ id, text }) => ({ section: id.replace('uci:wireless.', ''), of: optionsOf(text) }))
  return sections.flatMap(({ section, of }) => {
    const [name, own] = [of.get('ssid'), of.get('ifname')]
    if (name === undefined || own === undefined) return []
    const vlans = sections.flatMap(one =>
      one.of.get('iface') === section && one.of.has('network') ? [`${own}-${one.of.get('name')}`] : [],
    )
    return [own, ...vlans].map(one => ({ name, interface: one }))
  })
}
