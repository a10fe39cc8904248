/** 5 emergency, 10 warning, 15 notice (specification section 9). */
export type AlertLevel = 5 | 10 | 15
/** Keys in locales/en/alertTypes.json. */
export type AlertType =
  | 'deviceOffline'
  | 'deviceOnline'
  | 'pushReverted'
  | 'pushFailed'
  | 'backupFailed'
  | 'workerRestarted'
  | 'webhookPaused'
  | 'noticeTest'
export type NewAlert = {
  type: AlertType
  level: AlertLevel
  /** Absent: the only organization's. */
  organization?: number
  network?: number
  device?: number
  values?: Record<string, string | number>
  at?: number
}
