import { guestMethods } from '@/model/guests/methods'
import type { GuestEnd } from '@/model/guests/session'
import { redeem } from '@/server/guests/vouchers/redeem'
import { isRefusal } from '@/server/kernel/fail'
import { type Attempt, type Outcome, rates, refuse, wrongAt } from './attempt'

const refusals: Readonly<Record<string, GuestEnd>> = {
  voucherMistyped: 'wrongVoucher',
  voucherUnavailable: 'wrongVoucher',
  voucherUsedUp: 'voucherUsedUp',
  voucherDevicesFull: 'voucherDevicesFull',
}

function wordsOf({ speech: { say, moment }, now }: Attempt, code: string, data: Record<string, unknown>): string {
  if (code === 'voucherMistyped') return say('errors.mistyped')
  if (code === 'voucherDevicesFull') return say('errors.devicesFull')
  if (code !== 'voucherUsedUp') return say('errors.unavailable')
  const { nextReset } = data
  return typeof nextReset === 'number'
    ? say('errors.usedUpUntil', { moment: moment(nextReset, now) })
    : say('errors.usedUp')
}

/** Synchronous: a voucher's last place goes once. */
export function byVoucher(attempt: Attempt): Outcome {
  const { runtime, place, device, sent, speech, now } = attempt
  const typed = sent.text('code')
  if (!typed.trim()) return wrongAt('code', speech.say('errors.codeMissing'))
  try {
    const { seconds, bytes, download, upload, voucher, name } = redeem(runtime, {
      ...{ network: place.network, code: typed, mac: device.mac, now },
    })
    const entry = {
      ...{ method: guestMethods.voucher, seconds, voucher, label: name },
      ...(bytes !== undefined && { bytes }),
      ...rates(place, download, upload),
    }
    return { entry }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const why = refusals[error.code]
    if (!why) throw error
    refuse(attempt, 'voucher', why, why === 'wrongVoucher')
    return wrongAt('code', wordsOf(attempt, error.code, error.data))
  }
}
