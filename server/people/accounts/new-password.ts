import * as z from 'zod'
import type { FieldError } from '@/model/field-errors'
import { passwordProblem } from '@/model/password'

const entry = z.string().min(1, 'required').max(64, 'tooLong')

/** A password to set, in clear: entered twice. Take `checkNewPassword` to the shape that has them. */
export const newPasswordFields = { password: entry, repeat: entry }

/** Rule A9 at `password`, and that both entries are the same, at `repeat`. */
export function checkNewPassword({ value, issues }: z.core.ParsePayload<{ password: string; repeat: string }>): void {
  const problem = passwordProblem(value.password)
  const at = (path: string, message: FieldError) =>
    issues.push({ code: 'custom', path: [path], message, input: undefined })
  if (problem) at('password', problem)
  else if (value.password !== value.repeat) at('repeat', 'passwordsDiffer')
}
