import type words from '@/locales/en/mail.json'
import { available, directionOf, localeOf } from '@/model/locales'

export type MailTemplate = Exclude<keyof typeof words, 'frame'>
export type MailValues = Readonly<Record<string, string | number>>
export type Rendered = { subject: string; text: string; html: string }

const valueCharacters = 500
const subjectCharacters = 200

/** One line, without anything that ends a header or turns its reading around; names of people stand in letters. */
export const oneLine = (value: string | number): string =>
  String(value)
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, valueCharacters)

const fill = (text: string, values: MailValues): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => oneLine(values[name] ?? ''))

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? '')

/** A paragraph that is a link or a code alone stands out. */
function paragraph(part: string, values: MailValues): string {
  const text = escaped(fill(part, values))
  if (part === '{link}' && /^https?:\/\//.test(text)) return `<p><a href="${text}">${text}</a></p>`
  if (part === '{code}') return `<p style="font-size:28px;letter-spacing:4px"><b dir="ltr">${text}</b></p>`
  return `<p>${text}</p>`
}

const languageOf = (wanted: string | null) => {
  const locale = localeOf(wanted ?? undefined)
  return available.includes(locale) ? locale : 'en'
}

/** A letter in the reader's language, as text and as plain HTML of the same words. */
export async function render(template: string, locale: string | null, values: MailValues): Promise<Rendered> {
  const language = languageOf(locale)
  const all: typeof words = (await import(`../../locales/${language}/mail.json`)).default
  const { subject, text } = all[template as MailTemplate]
  const parts = text.split('\n\n')
  const footer = fill(all.frame.footer, values)
  return {
    subject: fill(subject, values).slice(0, subjectCharacters),
    text: `${parts.map(part => fill(part, values)).join('\n\n')}\n\n-- \n${footer}\n`,
    html: [
      `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"></head>`,
      '<body style="font:16px/1.5 sans-serif;max-width:36em;margin:24px auto;padding:0 16px">',
      ...parts.map(part => paragraph(part, values)),
      `<p style="color:#666;font-size:13px">${escaped(footer)}</p></body></html>`,
    ].join('\n'),
  }
}
