import type words from '@/locales/en/mail.json'
import { available, directionOf, localeOf } from '@/model/locales'
import { escaped } from '@/server/kernel/html'
import { wordsOf } from '@/server/kernel/words'

export type MailTemplate = Exclude<keyof typeof words, 'frame'>
/** `footer` in place of the frame's. */
type Words = { subject: string; text: string; footer?: string }
/** A list is told line by line. */
export type MailValues = Readonly<Record<string, string | number | readonly string[]>>
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
  text.replace(/\{(\w+)\}/g, (_, name: string) =>
    [values[name] ?? '']
      .flat()
      .map(line => oneLine(line as string | number))
      .join('\n'),
  )

/** What a person wrote, in its own lines; nothing in it turns its reading around or acts on a terminal. */
const written = (body: string): string => body.replace(/[\p{Cf}\p{Cs}]|(?![\n\t])\p{Cc}/gu, '')

/** A paragraph that is a link or a code alone stands out; `body` is one of its own. */
function paragraph(part: string, values: MailValues, body: string): string {
  if (part === '{body}') return `<p style="white-space:pre-wrap">${escaped(written(body))}</p>`
  const text = escaped(fill(part, values))
  if (part === '{link}' && /^https?:\/\//.test(text)) return `<p><a href="${text}">${text}</a></p>`
  if (part === '{code}') return `<p style="font-size:28px;letter-spacing:4px"><b dir="ltr">${text}</b></p>`
  return `<p>${text.replaceAll('\n', '<br>')}</p>`
}

const languageOf = (wanted: string | null) => {
  const locale = localeOf(wanted ?? undefined)
  return available.includes(locale) ? locale : 'en'
}

/** A letter in the reader's language, as text and as plain HTML of the same words. `body`: lines that stand for {body}. */
export async function render(
  template: string,
  locale: string | null,
  values: MailValues,
  body = '',
): Promise<Rendered> {
  const language = languageOf(locale)
  const all = await wordsOf<typeof words>(language, 'mail')
  const { subject, text, footer: own = all.frame.footer } = all[template as MailTemplate] as Words
  const parts = text.split('\n\n')
  const footer = fill(own, values)
  return {
    subject: fill(subject, values).slice(0, subjectCharacters),
    text: `${parts.map(part => (part === '{body}' ? written(body) : fill(part, values))).join('\n\n')}\n\n-- \n${footer}\n`,
    html: [
      `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"></head>`,
      '<body style="font:16px/1.5 sans-serif;max-width:36em;margin:24px auto;padding:0 16px">',
      ...parts.map(part => paragraph(part, values, body)),
      `<p style="color:#666;font-size:13px">${escaped(footer)}</p></body></html>`,
    ].join('\n'),
  }
}
