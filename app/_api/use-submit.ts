'use client'
import { useState } from 'react'
import { isCancelled, whenRenewed } from './client'
import { useFieldErrors } from './words'

/** Sends what a form holds. `busy`: the act under way; `errors`: what was refused of the last one, worded by field. */
export function useSubmit<Act extends string>() {
  const errorsOf = useFieldErrors()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState<Act>()
  /** True when nothing was refused. */
  const run = async (act: Act, work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(act)
    try {
      await work()
      await whenRenewed()
      setErrors({})
      return true
    } catch (error) {
      if (!isCancelled(error)) setErrors(errorsOf(error))
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { errors, busy, run }
}
