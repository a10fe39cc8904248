import { DeviceError, isDeviceError } from './driver'

export const reasonOf = (error: unknown): DeviceError =>
  isDeviceError(error)
    ? (error as DeviceError)
    : new DeviceError('internal', error instanceof Error ? error.message : String(error), { cause: error })

/** Work that must end: `timeout` after `ms`, whatever the driver does. */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const control = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      control.abort()
      reject(new DeviceError('timeout', `no end after ${Math.round(ms / 1000)} s`))
    }, ms)
  })
  const running = work(control.signal)
  // The loser of the race may still reject.
  running.catch(() => undefined)
  try {
    return await Promise.race([running, limit])
  } finally {
    clearTimeout(timer)
  }
}
