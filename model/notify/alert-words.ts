/** Under which key of alertTypes.json an alert's sentence stands: what a device that is offline took along is said with it. */
export function wordsOf<T extends string>(type: T, values: Readonly<Record<string, unknown>> = {}) {
  if (type !== 'deviceOffline') return type
  const [cut, behind] = [values.port !== undefined, values.behind !== undefined]
  if (behind) return cut ? 'deviceCutOffBehind' : 'deviceOfflineBehind'
  return cut ? 'deviceCutOff' : type
}
