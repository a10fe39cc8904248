'use client'
import { useEffect, useState } from 'react'
import { ApiError } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import type { StepId, Typed } from './wizard-data'

/** Sends a step: busy while it runs, messages at fields, and a sentence for what belongs to no field. */
export function useStep(known: readonly string[] = []) {
  const fieldErrors = useFieldErrors()
  const text = useFailureText()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const run = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const done = await work()
      setErrors({})
      return done
    } catch (error) {
      if (!(error instanceof ApiError)) return undefined
      const at = fieldErrors(error)
      setErrors(at)
      const shown = Object.keys(at).some(name => known.includes(name))
      if (!shown) setFailure(text(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const clear = (name: string) => setErrors(({ [name]: _, ...rest }) => rest)
  return { busy, errors, failure, run, clear }
}

/** The fields of a step. Who goes back and comes again finds what was typed. */
export function useTyped<Values extends object>(typed: Typed, step: StepId, start: Values) {
  const form = useFields<Values>({ ...start, ...typed.get(step) })
  const { values } = form
  useEffect(() => void typed.set(step, values), [typed, step, values])
  return form
}
