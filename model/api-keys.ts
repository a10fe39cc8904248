import { type Authority, features } from './authority'
import { limits } from './limits'
import { generalName } from './names'

/** What a key begins with, so that scanners of leaked secrets and people know one. */
export const keyStart = 'lw_'
/** How much of a key is kept to know it again by. */
export const keyShown = 11

/** What a key does stands under its maker's name, this, and its own. Names to sign in with have no spaces: nobody is called so. */
export const keyMark = ' · '

/**
 * Features that no key has: by them somebody would make themselves more keys, open the doors that keep keys out, get at
 * the letters of others, make super administrators, or act as the person.
 */
const personal: readonly string[] = [
  'account',
  'organization_security',
  'organization_directory',
  'organization_api',
  'organization_mail',
  'organization_companies',
]

/** What a key can be made for. */
export const keyFeatures = features.filter(one => !personal.includes(one.name))

const editsOf = (edits: readonly Authority[]) => edits

/** What a key holds by a list of names: an edit brings what reads it, what no key can hold is dropped. */
export function keyAuthorities(names: Iterable<string>): Authority[] {
  const wanted = new Set(names)
  return keyFeatures.flatMap(one => {
    const edits = editsOf(one.edits).filter(name => wanted.has(name))
    return edits.length || wanted.has(one.name) ? [one.name, ...edits] : []
  })
}

/** Is this of a person alone, so that no key gets it? */
export const isPersonal = (authority: Authority): boolean =>
  !keyFeatures.some(one => one.name === authority || editsOf(one.edits).includes(authority))

type Asked = { authority: Authority | 'open' | 'session'; keys?: boolean }

/** May a key with the right for it make this call? What is open it may not; of what asks for no right, what is for `keys`. */
export const isForKeys = ({ authority, keys = false }: Asked): boolean =>
  authority === 'session' ? keys : authority !== 'open' && !isPersonal(authority)

export const keyName = generalName(limits.apiKeyNameCharacters)
