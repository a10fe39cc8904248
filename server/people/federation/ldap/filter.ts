import { Filter, FilterParser } from 'ldapts'

/** What a filter is filled with; `name`: what somebody typed to sign in, `dn`: the entry that was found. */
export type Given = Partial<Record<'name' | 'dn', string>>

/** A filter with its places filled, each value escaped (RFC 4515 section 3), so that it stays one value. */
export const filled = (template: string, given: Given): string =>
  template.replace(/\{(name|dn)\}/g, (place, key: 'name' | 'dn') => {
    const value = given[key]
    return value === undefined ? place : Filter.escape(value)
  })

/** One pair of brackets around all of it; those inside of values are escaped. The library's parser closes what is open. */
function isBracketed(filter: string): boolean {
  let depth = 0
  const ends = [...filter].map(sign => {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    return depth
  })
  return ends.indexOf(0) === filter.length - 1 && depth === 0
}

/** Whether it is a filter by RFC 4515 that holds the place `needs`. */
export function isFilter(template: string, needs: 'name' | 'dn'): boolean {
  if (!template.includes(`{${needs}}`) || !isBracketed(template)) return false
  try {
    FilterParser.parseString(filled(template, { name: 'x', dn: 'x' }))
    return true
  } catch {
    return false
  }
}
