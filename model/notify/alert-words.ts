import { alertFacts, alertTypes } from './catalogue'

/** Ends of a push, which a device's own words tell the cause of. */
export const pushAlerts: readonly string[] = alertTypes.filter(type => alertFacts[type].place === 'push')

/** Under which key of alertTypes.json an alert's sentence stands: what it is not known of is not said. */
export function wordsOf<T extends string>(type: T, values: Readonly<Record<string, unknown>> = {}) {
  if (pushAlerts.includes(type)) return values.reason ? (`${type as 'pushFailed'}Why` as const) : type
  if (type !== 'deviceOffline') return type
  const [cut, behind] = [values.port !== undefined, values.behind !== undefined]
  if (behind) return cut ? 'deviceCutOffBehind' : 'deviceOfflineBehind'
  return cut ? 'deviceCutOff' : type
}
