import type { DeviceRole } from '../observation'
import { acctonRows } from './accton'
import { alliedRows } from './allied'
import { arubaRows } from './aruba'
import { brocadeRows } from './brocade'
import { cambiumRows } from './cambium'
import { ciscoRows } from './cisco'
import { dellRows } from './dell'
import { dlinkRows } from './dlink'
import { extremeRows } from './extreme'
import { fastpathRows } from './fastpath'
import { firewallsRows } from './firewalls'
import { fortinetRows } from './fortinet'
import { gatewaysRows } from './gateways'
import { hpRows } from './hp'
import { huaweiRows } from './huawei'
import { makers } from './makers'
import { othersRows } from './others'
import { radlanRows } from './radlan'
import { ruckusRows } from './ruckus'
import { switchesRows } from './switches'
import { tplinkRows } from './tplink'
import { ubiquitiRows } from './ubiquiti'
import type { Vendor } from './vendor'
import { zyxelRows } from './zyxel'

/** Every row: of makers known by their enterprise number, by a branch that answers or by their words. */
export const vendors: readonly Vendor[] = [
  ...acctonRows,
  ...alliedRows,
  ...arubaRows,
  ...brocadeRows,
  ...cambiumRows,
  ...ciscoRows,
  ...dellRows,
  ...dlinkRows,
  ...extremeRows,
  ...fastpathRows,
  ...firewallsRows,
  ...fortinetRows,
  ...gatewaysRows,
  ...hpRows,
  ...huaweiRows,
  ...othersRows,
  ...radlanRows,
  ...ruckusRows,
  ...switchesRows,
  ...tplinkRows,
  ...ubiquitiRows,
  ...zyxelRows,
]

function makerOf(own: string): Vendor | undefined {
  const number = Number.parseInt(own, 10)
  const maker = makers[number]
  return maker && { name: maker.name, enterprises: [String(number)], roles: maker.role ? [{ role: maker.role }] : [] }
}

const branch = '1.3.6.1.4.1.'

const ownNumber = (objectId: string | undefined) =>
  objectId?.startsWith(branch) ? `${objectId.slice(branch.length)}.` : ''

/** A device's role by its maker's row: the first that fits. */
export function roleByVendor({ roles = [] }: Vendor, objectId: string, description: string): DeviceRole | undefined {
  const own = ownNumber(objectId)
  const fits = roles.find(
    rule =>
      (!rule.objectId || own.startsWith(`${rule.objectId}.`)) &&
      (!rule.description || rule.description.test(description)),
  )
  return fits?.role
}

const describes = (vendor: Vendor, description: string) => !vendor.description || vendor.description.test(description)

const fits = (vendor: Vendor, description: string, answered: readonly string[]) =>
  describes(vendor, description) && (!vendor.answers || vendor.answers.some(each => answered.includes(each)))

type Rows = readonly Vendor[]

function byNumber(rows: Rows, own: string, description: string, answered: readonly string[]): Vendor | undefined {
  let best: { vendor: Vendor; weight: number } | undefined
  for (const vendor of rows.filter(each => fits(each, description, answered))) {
    for (const prefix of vendor.enterprises) {
      // Of two with the same number the one that also asks for an answer or a description is the closer.
      const weight = prefix.length * 4 + (vendor.answers ? 2 : 0) + (vendor.description ? 1 : 0)
      if (own.startsWith(`${prefix}.`) && weight > (best?.weight ?? 0)) best = { vendor, weight }
    }
  }
  return best?.vendor
}

/** The row of the longest branch that answers. */
function byAnswer(rows: Rows, description: string, answered: readonly string[]): Vendor | undefined {
  const found = rows.flatMap(vendor =>
    describes(vendor, description)
      ? (vendor.answers ?? []).filter(each => answered.includes(each)).map(each => ({ vendor, length: each.length }))
      : [],
  )
  return found.sort((a, b) => b.length - a.length)[0]?.vendor
}

/** Branches below 1.3.6.1.4.1 that decide between rows for this device: whether each has anything is to be asked. */
export function branchesToAsk(objectId: string | undefined, description: string, rows: Rows = vendors): string[] {
  const own = ownNumber(objectId)
  const anonymous = !byNumber(rows, own, description, [])?.name
  const open = rows.filter(
    vendor =>
      describes(vendor, description) && (anonymous || vendor.enterprises.some(prefix => own.startsWith(`${prefix}.`))),
  )
  return [...new Set(open.flatMap(vendor => vendor.answers ?? []))]
}

/**
 * The maker of a device, by the longest enterprise prefix of its sysObjectID; where that names none, or only the agent, by
 * `answered`: which branches of `branchesToAsk` have anything.
 */
export function vendorOf(
  objectId: string | undefined,
  description: string,
  answered: readonly string[] = [],
  rows: Rows = vendors,
): Vendor | undefined {
  const own = ownNumber(objectId)
  const numbered = byNumber(rows, own, description, answered)
  if (numbered?.name) return numbered.ofModel ? { ...numbered, ...numbered.ofModel(own.slice(0, -1)) } : numbered
  const maker = makerOf(own)
  const answering = byAnswer(rows, description, answered)
  if (answering && !answering.name && maker) return { ...answering, name: maker.name }
  return answering ?? numbered ?? maker
}
