import { type CodeName, codes } from '@/model/codes'
import type { FieldErrors } from '@/model/field-errors'

/** A refusal with a code of the catalogue. Known by its brand: Next builds modules several times, instanceof lies. */
export class Refusal extends Error {
  readonly brand = 'lanward.refusal'
  readonly code: CodeName
  readonly retCode: number
  readonly data: Record<string, unknown>
  constructor(code: CodeName, data: Record<string, unknown> = {}) {
    super(code)
    this.code = code
    this.retCode = codes[code]
    this.data = data
  }
}

export const isRefusal = (error: unknown): error is Refusal =>
  typeof error === 'object' && error !== null && (error as Refusal).brand === 'lanward.refusal'

/** Ends a call with a code; `data` goes to the client with it (never a secret). */
export function fail(code: CodeName, data?: Record<string, unknown> & { fields?: FieldErrors }): never {
  throw new Refusal(code, data)
}

/** A secret in clear goes over https, or stays on this machine: else secureOnly. */
export function requirePrivate({ secure, loopback }: { secure: boolean; loopback: boolean }): void {
  if (!secure && !loopback) fail('secureOnly')
}

/** Ends a call with messages at fields: `failFields({ name: 'nameExists' })`. */
export function failFields(fields: FieldErrors, code: CodeName = 'invalidInput'): never {
  throw new Refusal(code, { fields })
}
