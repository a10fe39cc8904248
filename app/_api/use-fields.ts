'use client'
import { useState } from 'react'

type Errors = Readonly<Record<string, string | undefined>>

/**
 * What a small form holds. `field('host', errors)` is what a control needs of one value: itself, what was refused of it,
 * and how it changes; `put` changes several at once. `changed`: it differs from what it began with, or from
 * what was kept last.
 */
export function useFields<Values extends object>(start: Values) {
  const [values, setValues] = useState(start)
  const [first, setFirst] = useState(() => JSON.stringify(start))
  const put = (change: Partial<Values>) => setValues(now => ({ ...now, ...change }))
  const field = <Name extends keyof Values & string>(name: Name, errors: Errors = {}) => ({
    value: values[name],
    onChange: (value: Values[Name]) => put({ [name]: value } as unknown as Partial<Values>),
    error: errors[name],
  })
  const now = JSON.stringify(values)
  return { values, put, field, changed: now !== first, kept: () => setFirst(now) }
}
