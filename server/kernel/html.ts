/** Text that is HTML: made by `html` alone, so that nothing of a field gets in as it is. */
export type Html = { readonly html: string }
type Value = Html | readonly Html[] | string | number | false | undefined

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** As text or in a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')

function written(value: Value): string {
  if (value === false || value === undefined) return ''
  if (typeof value !== 'object') return escaped(String(value))
  return [value]
    .flat()
    .map(one => one.html)
    .join('')
}

/** A piece of HTML; what is put into it is text, unless it is such a piece itself. Nothing stands for false and undefined. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: parts.map((part, at) => part + written(values[at])).join(''),
})
