// What a renderer writes of a field, read back by `adopt`: two documents that differ in one field, what a device has of the
// one, and what the other's document has to say for it.
import { isDeepStrictEqual } from 'node:util'
import { check, type Data, type Kind } from '@/model/kind'
import { withAdopted } from '@/server/devices/change/drift/adopted'
import { adoptBlocks, type PlanInput, renderAll } from '@/server/drivers/assess'
import { type DesiredDocument, type Driver, isAbout, type NativeBlock } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { addressOption } from '@/server/drivers/linux/unmanaged/links'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import { type Random, randomValue } from '../model/_random'
import { randomOf } from '../soak/random'
import { documentOf, ids, inputOf, type Kinds, randomData, seeded } from '../soak/surroundings'
import { recorded, take } from './_imported'

type Written = Pick<Driver<unknown>, 'renderers' | 'equal'>
export type Place = {
  driver: string
  written: Written
  /** What the device had by itself and settings decide now, with the documents that do. */
  imported?: { taken: ImportedItem[]; documents: DesiredDocument[] }
}

const router = take(recorded)
const links: { taken: ImportedItem[]; documents: DesiredDocument[] } = {
  taken: [
    {
      id: 'file:/etc/systemd/network/10-lan.network#br-lan',
      options: { [addressOption]: 'Address=10.20.30.1/24' },
      document: 'lan',
    },
    { id: 'file:/etc/systemd/network/10-wan.network#eth0', options: { [addressOption]: 'DHCP=yes' }, document: 'wan' },
  ],
  documents: [
    { id: 'lan', kind: 'lan', name: 'House', data: { name: 'House', vlan: 1, address: '10.20.30.1/24', dhcp: false } },
    { id: 'wan', kind: 'wan', name: 'Line', data: { name: 'Line', interface: 'eth0', connection: 'dhcp', metric: 1 } },
  ],
}

export const places: readonly Place[] = [
  { driver: 'openwrt', written: openwrtDriver },
  { driver: 'openwrt', written: openwrtDriver, imported: router },
  { driver: 'linux', written: linuxDriver },
  { driver: 'linux', written: linuxDriver, imported: links },
  { driver: 'snmp', written: snmpDriver },
]

const writersOf = ({ renderers }: Written, kind: string) => renderers.filter(one => isAbout(one, kind))

/** Kinds that a driver's renderers write, and of what is imported those that decide it. */
export const kindsAt = ({ written, imported }: Place, all: Kinds): Kind[] =>
  [...all.values()].filter(
    kind =>
      writersOf(written, kind.id).length > 0 && (!imported || imported.documents.some(one => one.kind === kind.id)),
  )
/** Whether any renderer of the kind reads back at all. */
export const isRead = ({ written }: Place, { id }: Kind): boolean =>
  writersOf(written, id).some(one => one.adopt !== undefined)

/** A document as the plan has it, and what the plan is made of. */
function planOf(place: Place, kinds: Kinds, kind: Kind, data: Data, seed: number) {
  const known = place.imported?.documents.find(one => one.kind === kind.id)
  const document = documentOf(kinds, kind, data, seeded(seed), known?.id)
  const input: PlanInput = inputOf(document)
  if (!place.imported) return { document, input }
  const { taken: imported, documents } = place.imported
  return {
    document,
    input: { ...input, imported, documents: documents.map(one => (one.id === document.id ? document : one)) },
  }
}

export type Told = {
  /** Whether a block that stands in both plans differs. */
  written: boolean
  /** Whether the device's blocks say what the other document says. */
  same: boolean
  from: Data
  to: Data
  fields: Data
}

/** What is read of a device that has what `to` asks for, while settings say `from`. */
function readBack(place: Place, kinds: Kinds, kind: Kind, from: Data, to: Data, seed: number): Told {
  const before = planOf(place, kinds, kind, from, seed)
  const after = planOf(place, kinds, kind, to, seed)
  const renderers = writersOf(place.written, kind.id)
  const blocks = (input: PlanInput): NativeBlock[] => renderAll(renderers, input).blocks
  const old = new Map(blocks(before.input).map(block => [block.id, block]))
  const changed = blocks(after.input).filter(block => {
    const was = old.get(block.id)
    return was && !place.written.equal(was, block)
  })
  const fields: Data = {}
  for (const { adopted } of adoptBlocks({ ...place.written, renderers }, before.input, changed))
    for (const one of adopted ?? [])
      if (one.document === before.document.id) Object.assign(fields, one.fields)
      else fields[`of ${one.document}`] = one.fields
  const judged = check(kind, withAdopted(kind, from, fields))
  const same = 'data' in judged && isDeepStrictEqual(judged.data, to)
  return { written: changed.length > 0, same, from, to, fields }
}

/** Documents of a kind from which a field is changed. */
const bases = new Map<string, Data[]>()
function basesOf(kind: Kind): Data[] {
  const held = bases.get(kind.id) ?? [1, 2, 3, 4, 5, 6, 7, 8].map(seed => randomData(kind, randomOf(seed)))
  bases.set(kind.id, held)
  return held
}

/** The document with another value in the field; where that asks for others, or leaves them no place, with those. */
function changed(kind: Kind, from: Data, field: string, random: Random): Data | undefined {
  let data: Data = { ...from, [field]: randomValue(kind, field, random, { ids }) }
  for (let tries = 0; tries < 30; tries++) {
    const judged = check(kind, Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)))
    if ('data' in judged) return isDeepStrictEqual(judged.data[field], from[field]) ? undefined : judged.data
    for (const [path, why] of Object.entries(judged.fields)) {
      const wrong = path.split('.')[0] ?? ''
      data = { ...data, [wrong]: why === 'notUsed' ? undefined : randomValue(kind, wrong, random, { ids }) }
    }
  }
  return undefined
}

/** What comes back of the field: of up to two changes that are written, each looked at in both directions. */
export function tryField(place: Place, kinds: Kinds, kind: Kind, field: string): Told[] {
  const known = place.imported?.documents.find(one => one.kind === kind.id)?.data
  const random = randomOf(field.length)
  const told: Told[] = []
  for (const base of known ? [known, known, known, known] : basesOf(kind).flatMap(one => [one, one])) {
    const from = check(kind, base)
    const to = 'data' in from ? changed(kind, from.data, field, random) : undefined
    if (!('data' in from) || !to) continue
    const seed = Math.floor(random() * 2 ** 31)
    const both = [readBack(place, kinds, kind, from.data, to, seed), readBack(place, kinds, kind, to, from.data, seed)]
    told.push(...both.filter(one => one.written))
    if (told.length > 2) break
  }
  return told
}
