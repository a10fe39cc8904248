import words from '@/locales/en/alertTypes.json'
import changeWords from '@/locales/en/change.json'
import codeTexts from '@/locales/en/codes.json'
import reasonWords from '@/locales/en/reasons.json'
import { codes } from '@/model/codes'
import { pushAlerts, wordsOf } from '@/model/notify/alert-words'
import type { NewAlert } from './alert'

type Values = NonNullable<NewAlert['values']>
const codeWords: Record<string, string> = codeTexts
const ofDevice: Partial<Record<string, { title: string }>> = reasonWords
const ofPush: Partial<Record<string, string>> = changeWords.reasons

const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** Why a push ended as it did: the engine's own reason, the device's with what it said, or that a check failed. */
export function pushReason({ reason = '', detail = '' }: Values): string {
  const title = ofDevice[reason]?.title
  const said = String(detail).trim().replace(/\.$/, '')
  const { said: withWords, device, check } = changeWords.reasons
  if (title === undefined) return filled(ofPush[reason] ?? check, { detail: said })
  return filled(said ? withWords : device, { title, said })
}

/** An alert in English; values stand in {braces}, a code's name is told in its words, a push's reason in a sentence. */
export function sentence({ type, values = {} }: Pick<NewAlert, 'type' | 'values'>): string {
  const key = wordsOf(type, values)
  const text: string = words.types[key] ?? key
  const reason = pushAlerts.includes(type) ? { reason: pushReason(values) } : {}
  const told = Object.entries({ ...values, ...reason }).map(
    ([name, value]) => [name, codeWords[String(codes[value as keyof typeof codes])] ?? value] as const,
  )
  return filled(text, Object.fromEntries(told))
}
