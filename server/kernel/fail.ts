import { type CodeName, codes } from '@/model/codes'
import type { FieldErrors } from '@/model/field-errors'
import { passwordRules } from '@/model/password'

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

type FieldRefusal = { code: CodeName; is(field: string, message: string): boolean }

const passwordMessages: readonly string[] = [...passwordRules, 'passwordsDiffer']

/** Wrong input that the catalogue has a number of its own for (specification 2-rules.md section 8.2). */
const fieldRefusals: readonly FieldRefusal[] = [
  { code: 'passwordFormat', is: (_, message) => passwordMessages.includes(message) },
  { code: 'emailFormat', is: (_, message) => message === 'emailFormat' },
  { code: 'groupNameEmpty', is: (field, message) => field === 'groupName' && message === 'required' },
  { code: 'dnsInvalid', is: (field, message) => /^dns\d?$/.test(field) && message !== 'dnsSame' },
]

/** The number of wrong input: its own where all that is wrong has the same one. */
function inputCode(fields: FieldErrors): CodeName {
  const found = Object.entries(fields).map(
    ([field, message]) => fieldRefusals.find(one => one.is(field, message))?.code,
  )
  const [first] = found
  return first !== undefined && found.every(one => one === first) ? first : 'invalidInput'
}

/** Ends a call with a code; `data` goes to the client with it (never a secret). */
export function fail(code: CodeName, data?: Record<string, unknown> & { fields?: FieldErrors }): never {
  throw new Refusal(code === 'invalidInput' && data?.fields ? inputCode(data.fields) : code, data)
}

/** A secret in clear goes over https, or stays on this machine: else secureOnly. */
export function requirePrivate({ secure, loopback }: { secure: boolean; loopback: boolean }): void {
  if (!secure && !loopback) fail('secureOnly')
}

/** Ends a call with messages at fields: `failFields({ name: 'nameExists' })`. */
export function failFields(fields: FieldErrors, code: CodeName = 'invalidInput'): never {
  fail(code, { fields })
}
