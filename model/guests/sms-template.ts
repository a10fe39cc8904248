import { isWebUrl } from '../rules'

// How any gateway for text messages is asked over HTTP: holes in braces, each filled as its place needs it.

/** `phone`: +491701234567; `digits`: the same without its plus. */
export const smsHoles = ['phone', 'digits', 'message', 'secret'] as const
export type SmsHole = (typeof smsHoles)[number]
export const smsFormats = ['json', 'form', 'xml', 'text'] as const
export type SmsFormat = (typeof smsFormats)[number]

const hole = new RegExp(`\\{(${smsHoles.join('|')})\\}`, 'g')

export const contentTypes: Record<SmsFormat, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** What a value has to become so that it stays one there, whatever is in it. */
const written: Record<SmsFormat | 'url' | 'header', (value: string) => string> = {
  json: value => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
  xml: value => value.replace(/[&<>"']/g, one => entities[one] ?? ''),
  text: value => value,
  url: encodeURIComponent,
  header: value => value.replace(/[^\x20-\x7e]/g, ''),
}

export const fillSms = (
  template: string,
  values: Readonly<Record<SmsHole, string>>,
  as: keyof typeof written,
): string => template.replace(hole, (_, name: SmsHole) => written[as](values[name]))

const sample = { phone: '+491701234567', digits: '491701234567', message: 'm', secret: 's' }

/** Rule G2: an address once its holes are filled; none of them may say where it leads. */
export function isSmsUrl(text: string): boolean {
  const host = /^https?:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
  return !/[{}@]/.test(host) && isWebUrl(fillSms(text, sample, 'url'))
}

/** One header a line, `Authorization: Bearer {secret}`; what belongs to the connection is not for people to say. */
export const isSmsHeader = (text: string): boolean =>
  /^[A-Za-z][\w-]*: ?[\x20-\x7e]+$/.test(text) &&
  !/^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer):/i.test(text)

/** A body of JSON has to be that once it is filled. */
export function isJsonTemplate(text: string): boolean {
  try {
    JSON.parse(fillSms(text, sample, 'json'))
    return true
  } catch {
    return false
  }
}

/** Does the request say to whom and what? */
export const saysMessage = (parts: readonly (string | undefined)[]): boolean => {
  const all = parts.join('\n')
  return /\{(phone|digits)\}/.test(all) && all.includes('{message}')
}
