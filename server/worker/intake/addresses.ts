// To the index an address is several words, each of which stands in half of all lines: to look for them as they follow each
// other takes long. So whole addresses are words of their own beside the text, of which no other line has any.

const macBytes = 6
/** Bytes of a longer row at which an address may begin: a DHCP unique identifier (RFC 8415) ends with one. */
const mostStarts = 32

const rows = /(?<![0-9a-z])[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4,}[0-9a-f]{2}(?![0-9a-z])/gi
const fours = /(?<![0-9a-z.])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![0-9a-z]|\.[0-9a-z])/gi
const ipv4 = /(?<!\d|\d\.)(?:\d{1,3}\.){3}\d{1,3}(?!\d|\.\d)/g

function macsIn(row: string): string[] {
  const bytes = row.split(/[:-]/).slice(0, mostStarts + macBytes - 1)
  return bytes.slice(macBytes - 1).map((_, at) => bytes.slice(at, at + macBytes).join(''))
}

/**
 * Whole addresses of a text: MAC addresses as twelve digits, however they are written (`02:aa:…`, `02-AA-…`, `02aa.…`), IPv4
 * addresses with `x` between their parts.
 */
export function addressesIn(text: string): string[] {
  return [
    ...(text.match(rows) ?? []).flatMap(macsIn),
    ...(text.match(fours) ?? []).map(one => one.replaceAll('.', '')),
    ...(text.match(ipv4) ?? []).map(one => one.replaceAll('.', 'x')),
  ].map(one => one.toLowerCase())
}

/** The word of the index for what is looked for, where that is one whole address. */
export function addressOf(word: string): string | undefined {
  const [address, ...more] = addressesIn(word)
  const isWhole = /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^[0-9a-f.]+$/i.test(word)
  return isWhole && more.length === 0 ? address : undefined
}
