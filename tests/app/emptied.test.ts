// What becomes of a field that has a default and is emptied by hand: it says what holds then, or it is refused.
import { leftOut } from '@/app/_form/input-frame'
import { type FieldSpec, kindSpec } from '@/app/_form/spec'
import { cleaned, startValues } from '@/app/_form/values'
import { check, isInherited, type Kind } from '@/model/kind'
import { anyKindIds, loadKind } from '@/model/registry'

/** Controls that nobody can empty, or whose emptiness is a value of its own. */
const neverEmpty = new Set([
  'switch',
  'choice',
  'checks',
  'weekday',
  'language',
  'lines',
  'rows',
  'refs',
  'ports',
  'files',
])
/** Controls that show an example of their own while they are empty. */
const withExample = new Set(['time', 'date', 'instant'])

const words = { maybe: () => undefined, shown: (_: FieldSpec, value: unknown) => String(value ?? '') }
const saysWhatHolds = (spec: FieldSpec) =>
  !withExample.has(spec.widget) &&
  leftOut({ spec, words, stored: false } as unknown as Parameters<typeof leftOut>[0]).placeholder !== undefined

const emptyable = ({ default: otherwise, widget }: FieldSpec) =>
  otherwise !== undefined && otherwise !== '' && !neverEmpty.has(widget)

/** What is wrong with the field alone, when it is emptied in the form as it begins. */
function wrongWhenEmptied(kind: Kind, key: string) {
  const { fields } = startValues(kindSpec(kind.id as 'backupSchedule', kind), undefined)
  const checked = check(kind, cleaned(kind, { ...fields, [key]: '' }))
  return 'data' in checked ? undefined : checked.fields[key]
}

test('each field with a default says what holds while it is empty, or has to be filled in', async () => {
  const silent: string[] = []
  const needed: string[] = []
  for (const id of anyKindIds) {
    const kind = (await loadKind(id)) as Kind
    if (isInherited(kind)) continue
    for (const spec of Object.values(kindSpec(id, kind).fields).filter(emptyable)) {
      if (saysWhatHolds(spec)) continue
      needed.push(`${id}.${spec.key}`)
      const { optional } = leftOut({ spec, words, stored: false } as unknown as Parameters<typeof leftOut>[0])
      if (optional || wrongWhenEmptied(kind, spec.key) !== 'required') silent.push(`${id}.${spec.key}`)
    }
  }
  expect(needed).toContain('backupSchedule.time')
  expect(silent).toEqual([])
})

test('a time is needed while the schedule is on, and not asked for while it is off', async () => {
  const kind = (await loadKind('backupSchedule')) as Kind
  const { fields } = startValues(kindSpec('backupSchedule', kind), undefined)
  for (const [frequency, problem] of [
    ['daily', 'required'],
    ['weekly', 'required'],
    ['off', undefined],
  ] as const) {
    const checked = check(kind, cleaned(kind, { ...fields, frequency, time: '' }))
    expect([frequency, 'data' in checked ? undefined : checked.fields.time]).toEqual([frequency, problem])
  }
})
