const character = /\\[0-9a-f]{2}|\\.|[^\\]/giu
const attributeType = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/

/** Characters, or escapes of one, divided where one of the separators stands bare. */
function divided(tokens: readonly string[], separators: string): string[][] {
  const parts: string[][] = [[]]
  for (const token of tokens)
    if (separators.includes(token)) parts.push([])
    else parts.at(-1)?.push(token)
  return parts
}

const bytesOf = (token: string): Buffer =>
  /^\\[0-9a-f]{2}$/i.test(token) ? Buffer.from(token.slice(1), 'hex') : Buffer.from(token.replace(/^\\/, ''))

/** Without case, and without blanks that mean nothing (RFC 4518, 2.6.1). */
const folded = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** `type=value` with its escapes resolved; undefined where it is none. */
function assertionOf(tokens: readonly string[]): string | undefined {
  const at = tokens.indexOf('=')
  const type = tokens.slice(0, at).join('').trim().toLowerCase()
  if (at < 0 || !attributeType.test(type)) return undefined
  return `${type}=${folded(Buffer.concat(tokens.slice(at + 1).map(bytesOf)).toString())}`
}

/**
 * What two spellings of one distinguished name (RFC 4514) have in common: its types and values are without case and told
 * by any escape, blanks around its parts mean nothing, and so does the order within one with several values. What is no
 * such name is compared without case.
 */
export function directoryNameKey(text: string): string {
  const tokens = text.match(character) ?? []
  const parts = divided(tokens, ',;').map(part => divided(part, '+').map(assertionOf))
  const isName = tokens.join('') === text && parts.every(part => part.every(one => one !== undefined))
  return isName ? JSON.stringify(parts.map(part => part.sort())) : folded(text)
}
