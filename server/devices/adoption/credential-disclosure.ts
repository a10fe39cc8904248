import type { devices } from '@/db/schema'
import type { FieldErrors } from '@/model/field-errors'
import type { Credential } from '@/server/drivers/driver'
import type { Actor } from '@/server/kernel/call'

// A stored login that is told to whoever answers could be read by who may say where the manager asks. So a new place for
// one is named by those alone who hold the right over logins.

/** Does whoever answers to a login know it then? A key and SNMPv3 only prove theirs (RFC 4252, 7; RFC 3414, 1.6). */
export const discloses = (credential: Credential): boolean =>
  credential.type === 'ssh' ? credential.password !== undefined : credential.type !== 'snmp3'

type Holder = Pick<Actor, 'authorities'>

/** May somebody have a stored login sent where it is not used yet? */
export const mayReuse = ({ authorities }: Holder, credential: Credential): boolean =>
  authorities.has('devices_logins_edit') || !discloses(credential)

type Place = Pick<typeof devices.$inferSelect, 'address' | 'port' | 'hostKey' | 'credential'>

/** What makes `next` another place for the stored login than `before`, at its field: over SSH its host key, else its address. */
export function newTarget(before: Place, next: Place, credential: Credential): FieldErrors {
  const moved = (field: 'credential' | 'hostKey' | 'address' | 'port') => before[field] !== next[field]
  if (moved('credential')) return { credentialId: 'loginNotYours' }
  if (credential.type === 'ssh') return moved('hostKey') ? { hostKey: 'loginNotYours' } : {}
  if (moved('address')) return { address: 'loginNotYours' }
  return moved('port') ? { port: 'loginNotYours' } : {}
}
