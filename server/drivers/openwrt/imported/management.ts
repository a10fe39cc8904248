import type { SystemFields } from '@/model/system/system'
import type { ImportedItem } from '../../unmanaged'
import { type Importable, only, says } from '../uci/importable'
import { formerValues, type OptionValues } from '../uci/imported'
import { lanOf } from '../uci/network-roles'
import type { Section } from '../uci/sections'

// The VLAN of the device's own address, where the LAN's bridge tells VLANs apart: that of the LAN's interface. On a plain
// bridge the interface is the bridge, and wireless networks join it there: taking it off would take them along.

/** `br-lan.20` as its bridge and VLAN. */
export function managementIn(device: string | undefined): [bridge: string, vlan: number] | undefined {
  const [, bridge, vlan] = /^(br[A-Za-z0-9_-]*)\.(\d{1,4})$/.exec(device ?? '') ?? []
  return bridge === undefined ? undefined : [bridge, Number(vlan)]
}

const isFiltered = (bridge: string, all: readonly Section[]) =>
  all.some(one => one.config === 'network' && one.type === 'bridge-vlan' && only(one, 'device') === bridge)

const field = says('system', { device: 'managementVlan' })

/** Beside what a LAN network says of the same section. */
export const managementSays = (section: Section, all: readonly Section[]): Importable['says'] => {
  const [bridge] = managementIn(only(section, 'device')) ?? []
  return section === lanOf(all) && bridge !== undefined && isFiltered(bridge, all) ? field : {}
}

/** An interface whose address somebody else gives. */
export function managementOffers(section: Section, all: readonly Section[]): Importable | undefined {
  const own = section.config === 'network' ? managementSays(section, all) : {}
  return 'device' in own ? { area: 'network', says: own } : undefined
}

export function managementDevice(item: ImportedItem, { managementVlan: vlan }: SystemFields): OptionValues {
  const found = managementIn(formerValues(item, 'device')?.[0])
  return vlan === undefined || !found || found[1] === vlan ? {} : { device: `${found[0]}.${vlan}` }
}
