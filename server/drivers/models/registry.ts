import { cisco, ciscoSmallBusiness, ciscoWireless } from './cisco'
import { checkpoint, fortinet, mikrotik, paloalto, sonicwall, vyatta } from './gateways'
import { aruba, comware, huawei, procurve } from './hp'
import { makers } from './makers'
import { apc, netSnmp, synology } from './others'
import {
  alliedTelesis,
  brocade,
  dell,
  dlink,
  edgeswitch,
  extreme,
  juniper,
  metel,
  moxa,
  netgear,
  netgearSmart,
  tplink,
  zyxel,
} from './switches'
import type { Vendor } from './vendor'
import { airos, grandstream, ruckus, ubiquiti, unifi, unifiByName } from './wireless'

/** Every maker that is known by its enterprise number. */
export const vendors: readonly Vendor[] = [
  airos,
  alliedTelesis,
  apc,
  aruba,
  brocade,
  checkpoint,
  cisco,
  ciscoSmallBusiness,
  ciscoWireless,
  comware,
  dell,
  dlink,
  edgeswitch,
  extreme,
  fortinet,
  grandstream,
  huawei,
  juniper,
  metel,
  mikrotik,
  moxa,
  netgear,
  netgearSmart,
  netSnmp,
  paloalto,
  procurve,
  ruckus,
  sonicwall,
  synology,
  tplink,
  ubiquiti,
  unifi,
  unifiByName,
  vyatta,
  zyxel,
]

function makerOf(own: string): Vendor | undefined {
  const number = Number.parseInt(own, 10)
  const maker = makers[number]
  return maker && { name: maker.name, enterprises: [String(number)], kinds: maker.kind ? [{ kind: maker.kind }] : [] }
}

const branch = '1.3.6.1.4.1.'

/** The maker of a device, by the longest enterprise prefix of its sysObjectID. */
export function vendorOf(objectId: string | undefined, description: string): Vendor | undefined {
  if (!objectId?.startsWith(branch)) return undefined
  const own = `${objectId.slice(branch.length)}.`
  let best: { vendor: Vendor; weight: number } | undefined
  for (const vendor of vendors) {
    if (vendor.description && !vendor.description.test(description)) continue
    for (const prefix of vendor.enterprises) {
      // Of two with the same number the one that also asks for a description is the closer.
      const weight = prefix.length * 2 + (vendor.description ? 1 : 0)
      if (own.startsWith(`${prefix}.`) && weight > (best?.weight ?? 0)) best = { vendor, weight }
    }
  }
  return best?.vendor ?? makerOf(own)
}
