// Every field of every kind that a driver writes: what is changed on a device comes back as the field that would have written
// it, or stands in the list with the reason why not. `LANWARD_SAMPLE` draws some fields of each kind.
import type { Kind } from '@/model/kind'
import { sampled } from '../_sample'
import { allKinds, type Kinds } from '../soak/surroundings'
import { isRead, kindsAt, type Place, places, tryField } from './_back'
import { notRead } from './_back-list'

let kinds: Kinds
beforeAll(async () => {
  kinds = await allKinds()
})

type Row = { place: Place; kind: Kind; field: string }
const nameOf = ({ driver, imported }: Place) => (imported ? `${driver}, imported` : driver)
const said = ({ place, kind, field }: Row) => `${nameOf(place)}: ${kind.id} ${field}`
const entryOf = ({ place, kind, field }: Row) =>
  notRead.find(one => one.at === nameOf(place) && one.kind === kind.id && (!one.fields || one.fields.includes(field)))

const rowsOf = (wanted: boolean): Row[] =>
  places.flatMap(place =>
    kindsAt(place, kinds)
      .filter(kind => isRead(place, kind) === wanted)
      .flatMap(kind => Object.keys(kind.fields.shape).map(field => ({ place, kind, field }))),
  )

test('a field comes back from a device as it was written, or the list says why it does not', () => {
  const wrong = sampled(rowsOf(true), 1, ({ place, kind }) => `${nameOf(place)} ${kind.id}`).flatMap(row => {
    const told = tryField(row.place, kinds, row.kind, row.field)
    const lost = told.find(one => !one.same)
    const entry = entryOf(row)
    if (lost && !entry) return [`${said(row)} does not come back: ${JSON.stringify(lost)}`]
    // What no document of the sample could change says nothing of its entry.
    return told.length > 0 && !lost && entry ? [`${said(row)} comes back: the list needs no entry`] : []
  })
  expect(wrong).toEqual([])
})

test('kinds that nothing reads back are in the list whole, and it names nothing else', () => {
  const unread = rowsOf(false)
  expect(unread.filter(row => !entryOf(row) || entryOf(row)?.fields).map(said)).toEqual([])
  const all = [...unread, ...rowsOf(true)]
  const stale = notRead.filter(one => !all.some(row => entryOf(row) === one))
  expect(stale).toEqual([])
  expect(unread.length).toBeGreaterThan(50)
})
