/** 32 signs that nobody takes for one another, read aloud or on a note: five bits each. */
const signs = 'abcdefghjkmnpqrstuvwxyz023456789'
const groups = 4
const ofGroup = 5

/** A key that people type: `k7wpe-4mxrt-…`, 100 bits from the browser's generator. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(groups * ofGroup))
  const text = [...bytes].map(byte => signs[byte % signs.length]).join('')
  return (text.match(new RegExp(`.{${ofGroup}}`, 'g')) ?? []).join('-')
}
