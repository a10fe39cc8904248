/** 5 emergency, 10 warning, 15 notice (specification section 9). */
export type AlertLevel = 5 | 10 | 15
/** Keys in locales/en/alertTypes.json. */
export type AlertType =
  | 'deviceOffline'
  | 'deviceOnline'
  | 'deviceRestarted'
  | 'cpuHigh'
  | 'cpuNormal'
  | 'memoryHigh'
  | 'memoryNormal'
  | 'temperatureHigh'
  | 'temperatureNormal'
  | 'portDown'
  | 'portUp'
  | 'portErrors'
  | 'portErrorsGone'
  | 'wanOffline'
  | 'wanOnline'
  | 'wanDegraded'
  | 'wifiClients'
  | 'wifiClientsNormal'
  | 'clientConnected'
  | 'clientDisconnected'
  | 'logRule'
  | 'logRuleQuiet'
  | 'pushReverted'
  | 'pushFailed'
  | 'backupFailed'
  | 'workerRestarted'
  | 'webhookPaused'
  | 'guestGuessing'
  | 'guestSmsFailed'
  | 'portalUntrusted'
  | 'noticeFailed'
  | 'noticeTest'
/** Events that are over as they happen: nothing of them is open later. */
export const events: ReadonlySet<AlertType> = new Set<AlertType>([
  'deviceRestarted',
  'pushReverted',
  'pushFailed',
  'guestGuessing',
  'guestSmsFailed',
  'clientConnected',
  'clientDisconnected',
])
/** Words of an end: nobody has to look after them. */
export const recoveries = [
  'deviceOnline',
  'cpuNormal',
  'memoryNormal',
  'temperatureNormal',
  'portUp',
  'portErrorsGone',
  'wanOnline',
  'wifiClientsNormal',
  'logRuleQuiet',
] as const satisfies readonly AlertType[]

export type NewAlert = {
  type: AlertType
  level: AlertLevel
  /** Absent: the only organization's. */
  organization?: number
  network?: number
  device?: number
  values?: Record<string, string | number>
  at?: number
  /** When people are told of it, if it is open still; absent: at once, null: never. */
  tellAt?: number | null
}
