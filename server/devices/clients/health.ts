import type { Client } from '@/server/worker/clients-merge'

// How well a Wi-Fi client is connected, by what its access point tells, and by what of it. Pure.

/** `fine` and `poor`: from there on it is; between them it is fair. Retries in percent of frames, signal in dBm. */
const healthBounds = {
  signal: { fine: -67, poor: -78 },
  retries: { fine: 15, poor: 40 },
} as const

/** `bound`: from there on it is fine. */
type HealthSign = { what: 'signal' | 'retries'; state: 'fine' | 'fair' | 'poor'; value: number; bound: number }
type ClientHealth = { state: HealthSign['state']; signs: HealthSign[] }

const worst = ['poor', 'fair', 'fine'] as const

function sign(what: HealthSign['what'], value: number | undefined): HealthSign[] {
  if (value === undefined) return []
  const { fine, poor } = healthBounds[what]
  // Of the one more is better, of the other less.
  const [is, isFine, isPoor] = fine > poor ? [-value, -fine, -poor] : [value, fine, poor]
  return [{ what, value, bound: fine, state: is <= isFine ? 'fine' : is >= isPoor ? 'poor' : 'fair' }]
}

/** Undefined where nothing is told of it: unknown is not fine. The worst sign decides. */
export function healthOf({ wifi, signalDbm, retryPercent }: Pick<Client, 'wifi' | 'signalDbm' | 'retryPercent'>) {
  if (!wifi) return undefined
  const signs = [...sign('signal', signalDbm), ...sign('retries', retryPercent)]
  const state = worst.find(one => signs.some(sign => sign.state === one))
  return state && ({ state, signs } satisfies ClientHealth)
}
