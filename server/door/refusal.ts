import type errorWords from '@/locales/en/errors.json'
import type openApiWords from '@/locales/en/openapi.json'
import { type CodeName, codes } from '@/model/codes'
import type { FieldError, FieldErrors, FieldValues, MoreErrors } from '@/model/field-errors'
import { type Locale, localeShown } from '@/model/locales'
import { isRefusal, Refusal } from '@/server/kernel/fail'
import { isStorageFull } from '@/server/kernel/reserve'
import { wordsOf } from '@/server/kernel/words'

/** Who is refused: a script with an API key, or somebody who sent no proof of who they are; in their language. */
export type Refused = { key: boolean; unknown: boolean; locale: string | undefined }

/** What everybody is told by HTTP: session and authority, and what never came to a call. */
const statuses: Partial<Record<CodeName, number>> = {
  sessionExpired: 401,
  keyInvalid: 401,
  personOnly: 403,
  apiOff: 403,
  presenceOff: 403,
  sameOriginOnly: 403,
  noAuthority: 403,
  menuForbidden: 403,
  notInShared: 403,
  notFoundCall: 404,
  bodyTooLarge: 413,
}

/** What a script with a key is told besides, by the code's name: the first that fits. Else it is a conflict with what is. */
const keyStatuses: readonly [RegExp, number][] = [
  [/[nN]otFound$|Unknown$|Gone$/, 404],
  [/Invalid$|Illegal$|Format$|Empty$|Wrong$|TooLarge$|TooDeep$|Circle$|^(invalidInput|backupDamaged)$/, 422],
  [/^(unknownError|storageFull|methodNotAllowed|secureOnly)$/, 400],
]
const conflict = 409

/** HTTP status of a refusal: 200 for a business error, which to an API key is 400, 404, 409 or 422. */
export function statusOf(refusal: Refusal, key: boolean): number {
  const { code, data } = refusal
  if (typeof data.retryAfter === 'number') return 429
  const everybody = statuses[code]
  if (everybody || !key) return everybody ?? 200
  // Sent as something that is no JSON object: nothing in it can be judged.
  if (code === 'invalidInput' && (data.fields as FieldErrors | undefined)?.['']) return 400
  return keyStatuses.find(([name]) => name.test(code))?.[1] ?? conflict
}

const fill = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

type Wrong = { fields?: FieldErrors; values?: FieldValues; more?: MoreErrors }
/** Refusals of which the fields say more than their number. */
const inputCodes: readonly CodeName[] = [
  'invalidInput',
  'passwordFormat',
  'emailFormat',
  'groupNameEmpty',
  'dnsInvalid',
]

/** What is wrong at each field: `networkId: Required.` */
async function atFields(locale: Locale, { fields = {}, values = {}, more = {} }: Wrong): Promise<string[]> {
  const words = await wordsOf<typeof errorWords>(locale, 'errors')
  // A field may be called `constructor`.
  const at = <T>(of: Readonly<Record<string, T>>, name: string): T | undefined =>
    Object.hasOwn(of, name) ? of[name] : undefined
  return Object.entries(fields).map(([name, key]) => {
    const own = at(values, name) ?? {}
    const textOf = (one: FieldError) =>
      fill(words[one === 'tooSmall' && own.max === undefined ? 'atLeast' : one] ?? words.invalid, own)
    const text = [key, ...(at(more, name) ?? [])].map(textOf).join(' ')
    return name ? `${name}: ${text}` : text
  })
}

/** A refusal in words: one line, for people who read what a script printed. */
export async function messageOf({ code, retCode, data }: Refusal, { unknown, ...who }: Refused): Promise<string> {
  const locale = localeShown(who.locale)
  if (code === 'sessionExpired' && unknown) return (await wordsOf<typeof openApiWords>(locale, 'openapi')).signInFirst
  const wrong = inputCodes.includes(code) ? await atFields(locale, data) : []
  if (wrong.length > 0) return wrong.join(' ')
  return fill((await wordsOf<Record<string, string>>(locale, 'codes'))[retCode] ?? '', data)
}

/** What a call threw as a refusal: whatever is none is written to the log under the request's id, and not leaked. */
export function refusalOf(error: unknown, requestId: string): Refusal {
  if (isRefusal(error)) return error
  const full = isStorageFull(error)
  console.error(`request ${requestId}:`, full ? (error as Error).message : error)
  return new Refusal(full ? 'storageFull' : 'unknownError', { requestId })
}

/** The answer's body. */
export const bodyOf = async (refusal: Refusal, who: Refused) => ({
  retCode: codes[refusal.code],
  data: refusal.data,
  type: 'error',
  message: await messageOf(refusal, who),
})
