import type { Observation } from '@/server/drivers/observation'

/** What an OpenWrt system says of itself as it comes: its networks are called lan and wan, and so are their zones. */
export const networkRoles: NonNullable<Observation['networkRoles']> = {
  ...{ lan: 'lan', wans: ['wan', 'wan6'], wanZones: ['wan'] },
  zones: { lan: 'lan', wan: 'wan', wan6: 'wan' },
}
