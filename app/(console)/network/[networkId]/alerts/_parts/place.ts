import type { Authority } from '@/model/authority'
import { type AlertPlace, alertFacts } from '@/model/notify/catalogue'
import type { Alert } from './alert-words'

type Act = Exclude<AlertPlace, 'none'>
type Place = { href: string; needs: Authority; act: Act }
type About = Pick<Alert, 'type' | 'device' | 'values' | 'recoveredAt'>

const minuteMs = 60_000
const toMinute = (at: number): string => `${new Date(at - (at % minuteMs)).toISOString().slice(0, 19)}Z`

/** The lines of a log rule's alert: what it looks for, of the device, from the first that counted on. */
function linesOf({ values, device, recoveredAt }: About, network: string): string {
  const { text = '', severity, facility, from } = values
  const chosen = (value: string | number | undefined) => (value === undefined || value === 'any' ? '' : String(value))
  const wanted = {
    ...{ like: String(text), severity: chosen(severity), facility: chosen(facility) },
    ...{ device: device ? String(device.id) : '', from: typeof from === 'number' ? toMinute(from) : '' },
    to: recoveredAt === null ? '' : toMinute(recoveredAt),
  }
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''))
  return `${network}/insight/logs?${query}`
}

/** By place: what one needs to go there, and the way, below the network's pages; null of what is gone, or was not told. */
const places: Record<Act, { needs: Authority; href(alert: About, network: string): string | null }> = {
  logs: { needs: 'logs', href: linesOf },
  client: {
    needs: 'clients',
    href: ({ values: { mac } }, network) => (mac === undefined ? null : `${network}/clients/detail?id=${mac}`),
  },
  push: {
    needs: 'devices',
    href: ({ device }, network) => device && `${network}/settings/review?devices=${device.id}`,
  },
  device: { needs: 'devices', href: ({ device }, network) => device && `${network}/devices/detail?id=${device.id}` },
  manager: { needs: 'organization_manager', href: () => '/organization/manager?tab=backups' },
  webhooks: { needs: 'organization_api', href: () => '/organization/api?tab=webhooks' },
  guests: { needs: 'guests', href: (_alert, network) => `${network}/guests/status` },
  sms: { needs: 'settings_profiles', href: (_alert, network) => `${network}/settings/profiles?tab=sms` },
  notices: { needs: 'organization_notices', href: (_alert, network) => `${network}/alerts/notice/form` },
}

/** Where one looks after an alert, else at its device. Nowhere for what is gone. */
export function placeOf(alert: About, networkId: string): Place | undefined {
  // One that an earlier version raised may be of a type that is gone.
  const { place } = alertFacts[alert.type] ?? { place: 'none' }
  for (const act of [place, 'device'] as const) {
    const href = act === 'none' ? undefined : places[act].href(alert, `/network/${networkId}`)
    if (act !== 'none' && href) return { href, needs: places[act].needs, act }
  }
  return undefined
}
