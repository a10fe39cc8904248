'use client'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useFieldText } from '@/app/_api/words'
import { type Assign, together } from '@/model/assign'
import { fieldOf } from '@/model/field-errors'
import { check, type Data, hiddenFields, type Kind } from '@/model/kind'
import { loadKind } from '@/model/registry'
import { checkSingle } from '@/model/single'
import { proposed } from './proposals'
import type { KindSpec } from './spec'
import { changedKeys, cleaned, type FormValues, isDemanded, keptKeys } from './values'

/** The kind itself, with its rules and conditions: only this one is loaded. */
export function useKind(id: KindSpec['id']): Kind | undefined {
  const [{ kind, lost }, setLoaded] = useState<{ kind?: Kind; lost?: unknown }>({})
  useEffect(() => {
    let here = true
    loadKind(id).then(
      kind => here && setLoaded({ kind }),
      lost => here && setLoaded({ lost }),
    )
    return () => {
      here = false
    }
  }, [id])
  if (lost) throw lost
  return kind
}

/** Field → message key and the numbers its words need, of everything that is wrong now. */
function problemsOf(kind: Kind, { fields, assign }: FormValues, inherited: Data | undefined, all: readonly Data[]) {
  // One of the same name is the document itself, a moment after it was saved.
  const others = all.filter(one => one[kind.title] !== fields[kind.title])
  // Which devices lie in which groups the manager knows, and judges by it.
  const near = others.filter(one => one.assign && together(assign, one.assign as Assign))
  const checked = inherited
    ? checkSingle(kind, cleaned(kind, fields, inherited), inherited, { kept: keptKeys({ ...inherited, ...fields }) })
    : check(kind, cleaned(kind, fields), { kept: keptKeys(fields), others, near })
  return 'data' in checked ? { fields: {}, values: {} } : checked
}

const none: readonly Data[] = []

/**
 * The state of one form: values, what changed, and what is wrong. The same checks as behind the call; a field's message
 * shows once it was left, or a save was tried, and follows each key from then on. `inherited`: what a single's scope does
 * not set itself; then `start` holds only what it does. `others`: the list's other documents, as far as they are known.
 * `given`: changes that it begins with.
 */
export function useDocument(
  kind: Kind,
  start: FormValues,
  { inherited, others = none, given }: { inherited?: Data; others?: readonly Data[]; given?: Data | undefined } = {},
) {
  const [values, setValues] = useState(given ? { ...start, fields: { ...start.fields, ...given } } : start)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Record<string, string>>({})
  const proposal = useRef<Data>(undefined)
  const text = useFieldText()
  const problems = useMemo(() => problemsOf(kind, values, inherited, others), [kind, values, inherited, others])
  const whole = useMemo(
    () => ({ ...inherited, ...cleaned(kind, values.fields, inherited) }),
    [kind, values.fields, inherited],
  )
  const alone = useMemo(() => problemsOf(kind, values, inherited, none), [kind, values, inherited])
  const hidden = useMemo(() => new Set(hiddenFields(kind, whole)), [kind, whole])

  // By path; a field's own message is the first one within it.
  const paths: Record<string, string> = { ...refused }
  for (const [path, key] of Object.entries(problems.fields))
    if ((touched.has(path) || touched.has(fieldOf(path))) && !hidden.has(fieldOf(path)))
      paths[path] ??= text(key, problems.values[path])
  const errors: Record<string, string> = {}
  for (const [path, message] of Object.entries(paths)) errors[fieldOf(path)] ??= message
  const touch = (keys: readonly string[]) => setTouched(before => new Set([...before, ...keys]))
  return {
    values,
    errors,
    /** Of one field: what to say at it, and within it by path. */
    messages(field: string) {
      const own = Object.entries(paths).filter(([path]) => path.startsWith(`${field}.`))
      return {
        inner: Object.fromEntries(own.map(([path, message]) => [path.slice(field.length + 1), message])),
        // `bands.0` has no place of its own to show at; what lies deeper does.
        error: paths[field] ?? own.find(([path]) => path.split('.').length === 2)?.[1],
      }
    },
    hidden,
    /** Whether a field that may be left out by itself is demanded with these values. */
    demands: (field: string) => isDemanded(kind, whole, field, inherited),
    /** Nothing is wrong with it alone, shown or not; beside the others the manager judges, who knows them all. */
    valid: Object.keys(alone.fields).length === 0,
    changed: changedKeys(start.fields, values.fields).filter(
      key => !hidden.has(key) || start.fields[key] !== undefined,
    ),
    assignChanged: JSON.stringify(start.assign) !== JSON.stringify(values.assign),
    set(key: string, value: unknown) {
      setRefused({})
      const filled = proposed(kind.id, key, { ...values.fields, [key]: value }, proposal.current)
      proposal.current = filled ?? proposal.current
      setValues(before => ({ ...before, fields: { ...before.fields, [key]: value, ...filled } }))
    },
    /** Several at once. */
    fill(some: Data) {
      setRefused({})
      setValues(before => ({ ...before, fields: { ...before.fields, ...some } }))
    },
    assign(assign: FormValues['assign']) {
      setRefused({})
      setValues(before => ({ ...before, assign }))
    },
    touch: (key: string) => touch([key]),
    touchAll: () => touch(Object.keys(kind.fields.shape)),
    /** What the manager refused, already worded. */
    refuse: (fields: Record<string, string>) => setRefused(fields),
    /** Begins with other values; what was changed by hand since it held `since` stays as it is. */
    rebase(next: FormValues, since: Data) {
      setRefused({})
      setValues(now => {
        const typed = changedKeys(since, now.fields).map(key => [key, now.fields[key]] as const)
        return { assign: next.assign, fields: { ...next.fields, ...Object.fromEntries(typed) } }
      })
    },
    reset() {
      setValues(start)
      setTouched(new Set())
      setRefused({})
    },
  }
}
export type DocumentForm = ReturnType<typeof useDocument>
