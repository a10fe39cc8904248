import * as z from 'zod'
import type { FieldError, IssueParams } from '@/model/field-errors'
import { limits } from '@/model/limits'
import { passwordProblems } from '@/model/password'

const entry = z.string().min(1, 'required').max(64, 'tooLong')

/** A password to set, in clear: entered twice. Take `checkNewPassword` to the shape that has them. */
export const newPasswordFields = { password: entry, repeat: entry }

/** Rule A9 at `password`, every condition of it, and that both entries are the same, at `repeat`. */
export function checkNewPassword({ value, issues }: z.core.ParsePayload<{ password: string; repeat: string }>): void {
  const { min: minimum, max: maximum } = limits.passwordCharacters
  const params: IssueParams = { minimum, maximum, each: true }
  const at = (path: string, message: FieldError) =>
    issues.push({ code: 'custom', path: [path], message, input: undefined, params })
  for (const problem of passwordProblems(value.password)) at('password', problem)
  if (value.password !== value.repeat) at('repeat', 'passwordsDiffer')
}
