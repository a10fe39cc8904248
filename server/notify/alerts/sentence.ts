import words from '@/locales/en/alertTypes.json'
import codeTexts from '@/locales/en/codes.json'
import { codes } from '@/model/codes'
import { wordsOf } from '@/model/notify/alert-words'
import type { NewAlert } from './alert'

const codeWords: Record<string, string> = codeTexts

/** An alert in English; values stand in {braces}, a code's name is told in its words. */
export function sentence(alert: Pick<NewAlert, 'type' | 'values'>): string {
  const type = wordsOf(alert.type, alert.values)
  const text: string = words.types[type] ?? type
  const told = (value: string | number) => codeWords[String(codes[value as keyof typeof codes])] ?? String(value)
  return text.replace(/\{(\w+)\}/g, (_, name: string) => told(alert.values?.[name] ?? ''))
}
