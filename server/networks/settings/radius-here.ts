import type { Data } from '@/model/kind'
import { radiusHere } from '@/server/drivers/radius-here'
import type { Secrets } from '@/server/kernel/secrets'

/** What a network's devices share with the manager's own RADIUS server; one for all, since they roam by it. */
export const radiusSecret = (secrets: Secrets, network: number): string => secrets.derive(`radius:network:${network}`)

/** VLANs into which the users of the manager's own server are put, as a profile of another server lists them. */
const vlansOf = (users: readonly Data[]): string | undefined => {
  const all = users.flatMap(({ enabled, vlan }) => (enabled !== false && typeof vlan === 'number' ? [vlan] : []))
  return all.length === 0 ? undefined : [...new Set(all)].sort((a, b) => a - b).join(',')
}

/** A RADIUS profile of a network as its devices are given it: of the manager's own server with what nobody has to enter. */
export function filledRadius(secrets: Secrets, network: number, data: Data, users: readonly Data[]): Data {
  if (data.here !== true) return data
  const vlans = vlansOf(users)
  return { ...data, server: radiusHere, secret: radiusSecret(secrets, network), ...(vlans && { vlans }) }
}
