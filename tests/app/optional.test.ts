// What a form says of a field that may be left empty, over all kinds: "optional" only where an empty one is taken.
import { leftOut } from '@/app/_form/input-frame'
import { type FieldSpec, kindSpec } from '@/app/_form/spec'
import { cleaned, isDemanded, startValues } from '@/app/_form/values'
import { check, type Data, hiddenFields, isInherited, type Kind } from '@/model/kind'
import { anyKindIds, loadKind } from '@/model/registry'
import { randomDocument } from '../model/_random'
import { randomOf } from '../soak/random'

const words = { maybe: () => undefined, shown: () => '' }
/** As the form marks it, where the field says no default. */
const saysOptional = (spec: FieldSpec, kind: Kind, values: Data) => {
  const demanded = isDemanded(kind, values, spec.key)
  const shown = { spec: demanded ? { ...spec, required: true } : spec, words, stored: false }
  return leftOut(shown as unknown as Parameters<typeof leftOut>[0]).optional === true
}

/** Nobody empties these. */
const unmarked = new Set(['switch', 'choice', 'checks', 'weekday', 'language'])
const lists = new Set(['lines', 'rows', 'refs', 'ports', 'files'])
const ids = Object.fromEntries(anyKindIds.map(id => [id, [1, 2].map(at => `a1b2c3d4-0000-4000-8000-00000000000${at}`)]))
/** Their text has a form that no random one has. */
const handmade = new Set(['mailServer', 'notices', 'feedbackAddress'])

/** Documents to look at: one as a new form begins, and some at random. */
function documents(kind: Kind, random: () => number): Data[] {
  const first = cleaned(kind, startValues(kindSpec(kind.id as 'ssid', kind), undefined).fields)
  const made = handmade.has(kind.id) ? [] : Array.from({ length: 3 }, () => randomDocument(kind, random, { ids }))
  return [first, ...made]
}

/** Whether the form as it stands is refused at a field that is emptied. */
function isRefused(kind: Kind, values: Data, key: string): boolean {
  const emptied = Array.isArray(values[key]) ? [] : ''
  const checked = check(kind, cleaned(kind, { ...values, [key]: emptied }))
  return !('data' in checked) && checked.fields[key] !== undefined
}

/** Fields that may be left out by themselves, and can be emptied to nothing. */
const emptyable = ({ required, widget, default: otherwise }: FieldSpec) =>
  !required && !unmarked.has(widget) && (otherwise === undefined || lists.has(widget))

type Marked = { field: string; refused: boolean; optional: boolean }

/** What the form of a document says of each of these fields, and whether it is refused without it. */
function marksIn(kind: Kind, values: Data, specs: readonly FieldSpec[]): Marked[] {
  const hidden = hiddenFields(kind, values)
  return specs
    .filter(one => !hidden.includes(one.key))
    .map(spec => {
      const whole = { ...(lists.has(spec.widget) && { [spec.key]: [] }), ...values }
      const refused = isRefused(kind, whole, spec.key)
      return { field: `${kind.id}.${spec.key}`, refused, optional: saysOptional(spec, kind, whole) }
    })
}

test('a field that is refused when it is left empty does not say “optional”, and one that is taken does', async () => {
  const random = randomOf(7)
  const marks: Marked[] = []
  for (const id of anyKindIds) {
    const kind = (await loadKind(id)) as Kind
    if (isInherited(kind)) continue
    const specs = Object.values(kindSpec(id, kind).fields).filter(emptyable)
    marks.push(...documents(kind, random).flatMap(values => marksIn(kind, values, specs)))
  }
  expect(marks.filter(one => one.optional === one.refused)).toEqual([])
  expect(marks.filter(one => one.refused).map(one => one.field)).toEqual(
    expect.arrayContaining(['timePolicy.macs', 'internetSource.wans', 'smsGateway.countryCodes', 'bandwidthRule.mac']),
  )
})

test('the MAC addresses of a time limit are needed while it is for listed clients', async () => {
  const kind = (await loadKind('timePolicy')) as Kind
  const { fields } = startValues(kindSpec('timePolicy', kind), undefined)
  expect(isDemanded(kind, fields, 'macs')).toBe(true)
  expect(isDemanded(kind, { ...fields, target: 'ssid' }, 'macs')).toBe(false)
})
