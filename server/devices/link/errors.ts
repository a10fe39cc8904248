import type { CodeName } from '@/model/codes'
import { isDeviceError, type Reason } from '@/server/drivers/driver'
import { fail } from '@/server/kernel/fail'

const codeOf: Partial<Record<Reason, CodeName>> = {
  noRoute: 'deviceUnreachable',
  timeout: 'deviceUnreachable',
  refused: 'deviceUnreachable',
  closed: 'deviceUnreachable',
  hostKeyUnknown: 'deviceHostKey',
  hostKeyChanged: 'deviceHostKey',
  credentials: 'deviceCredentials',
  unsupported: 'deviceUnsupported',
  busy: 'deviceBusy',
  workerAway: 'devicesAway',
}

/** Answers a device's failure with its code; `data.reason` is a key of locales/en/reasons.json, `data.detail` for the curious. */
export function failDevice(error: unknown): never {
  if (!isDeviceError(error)) throw error
  const { reason, detail } = error as { reason: Reason; detail?: string }
  if (reason === 'internal') console.error('device:', error)
  return fail(codeOf[reason] ?? 'deviceActionFailed', { reason, detail: detail ?? '' })
}
