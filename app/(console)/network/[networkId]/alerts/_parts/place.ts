import type { Authority } from '@/model/authority'
import { pushAlerts } from '@/model/notify/alert-words'
import type { Alert } from './alert-words'

type Place = { href: string; needs: Authority; act: 'device' | 'client' | 'push' | 'manager' | 'webhooks' | 'logs' }

const ofManager: Readonly<Record<string, Place>> = {
  backupFailed: { href: '/organization/manager?tab=backups', needs: 'organization_manager', act: 'manager' },
  webhookPaused: { href: '/organization/api?tab=webhooks', needs: 'organization_api', act: 'webhooks' },
}

const ofClients: readonly string[] = ['clientConnected', 'clientDisconnected']

const minuteMs = 60_000
const toMinute = (at: number): string => `${new Date(at - (at % minuteMs)).toISOString().slice(0, 19)}Z`

/** The lines of a log rule's alert: what it looks for, of the device, from the first that counted on. */
function linesOf({ values, device, recoveredAt }: About, networkId: string): string {
  const { text = '', severity, facility, from } = values
  const chosen = (value: string | number | undefined) => (value === undefined || value === 'any' ? '' : String(value))
  const wanted = {
    ...{ like: String(text), severity: chosen(severity), facility: chosen(facility) },
    ...{ device: device ? String(device.id) : '', from: typeof from === 'number' ? toMinute(from) : '' },
    to: recoveredAt === null ? '' : toMinute(recoveredAt),
  }
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''))
  return `/network/${networkId}/insight/logs?${query}`
}

type About = Pick<Alert, 'type' | 'device' | 'values' | 'recoveredAt'>

/** Where one looks after an alert: the push that reverted, the client, the device, the manager's page. Nowhere for what is gone. */
export function placeOf(alert: About, networkId: string): Place | undefined {
  const { type, device, values } = alert
  if (type === 'logRule') return { href: linesOf(alert, networkId), needs: 'logs', act: 'logs' }
  if (ofClients.includes(type) && values.mac !== undefined)
    return { href: `/network/${networkId}/clients/detail?id=${values.mac}`, needs: 'clients', act: 'client' }
  if (!device) return ofManager[type]
  const detail = `/network/${networkId}/devices/detail?id=${device.id}`
  const review = `/network/${networkId}/settings/review?devices=${device.id}`
  if (pushAlerts.includes(type)) return { href: review, needs: 'devices', act: 'push' }
  return { href: detail, needs: 'devices', act: 'device' }
}
