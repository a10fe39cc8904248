// Which site a name that was looked up belongs to. There is no list of public suffixes here: the one that is (Mozilla's) is
// under a licence of its own and old a month later. So the site is the last two labels of a name, or three below a country
// where what stands before it is a word for a sort of holders, as in `example.co.uk`.

/** Second labels under which countries register names. */
const sorts = new Set('ac co com edu gob gouv gov go gv mil ne net nom or org'.split(' '))

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const top = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
/** Names that no registry gives: of reverse look-ups and of the LAN (RFC 6761, 6762, 8375, and `.internal` by ICANN). */
const local = new Set('arpa internal invalid lan local localdomain localhost onion'.split(' '))

/** In lower case. undefined: the name is no site's, or no name at all. */
export function siteOf(name: string): string | undefined {
  const labels = name.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || !top.test(last) || local.has(last) || !labels.every(one => label.test(one))) return undefined
  const isSort = last.length === 2 && sorts.has(labels.at(-2) ?? '')
  return labels.slice(isSort ? -3 : -2).join('.')
}

/** Types of a question for an address: what is asked on the way to a site. */
const addressTypes = new Set(['A', 'AAAA'])
export const isForAddress = (type: string | undefined): boolean => addressTypes.has(type ?? '')
