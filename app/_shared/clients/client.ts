import type { CallOutput } from '@/app/_api/client'
import { likelyIcons } from '@/app/_shared/likely-icon'
import type { IconName } from '@/app/_ui/icon'

export type Client = CallOutput<'clients/list'>['result'][number]

/** As people call it, or as it calls itself; else its MAC address. */
export const shownName = ({ name, mac }: Pick<Client, 'name' | 'mac'>): string => name ?? mac.toUpperCase()

/** Of what a person says that it is, or what it likely is; else of how it is connected. */
export const clientIcon = ({ icon, kind, wifi }: Pick<Client, 'icon' | 'kind' | 'wifi'>): IconName => {
  const is = icon ?? kind
  if (is !== undefined) return likelyIcons[is]
  return wifi ? 'wifi' : 'display'
}

/** The list of those on one SSID. */
export const clientsOn = (networkId: string, ssid: string): string =>
  `/network/${networkId}/clients?${new URLSearchParams({ ssid })}`
