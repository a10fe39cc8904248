import { guestMethods } from '@/model/guests/methods'
import type { GuestEnd } from '@/model/guests/session'
import { endGuests, findGuest } from '@/server/guests/sessions/store'
import { usedPlaces } from '@/server/guests/sessions/voucher-places'
import { movesAnHour } from '@/server/guests/vouchers/places'
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
  if (code === 'voucherDevicesFull') return say('errors.movesSpent', { moves: movesAnHour })
  if (code !== 'voucherUsedUp') return say('errors.unavailable')
  const { nextReset } = data
  return typeof nextReset === 'number'
    ? say('errors.usedUpUntil', { moment: moment(nextReset, now) })
    : say('errors.usedUp')
}

/** The session of the device that gave its place up, over now; undefined: it was not in by this voucher. */
function endReplaced({ runtime, place, now }: Attempt, { voucher, replaced }: ReturnType<typeof redeem>) {
  const guest = replaced === undefined ? undefined : findGuest(runtime, place.network, replaced)
  if (guest?.voucher !== voucher) return undefined
  endGuests(runtime, [guest.id], 'moved', now)
  return guest
}

/** The field that says whose place the device takes. */
export const insteadField = 'instead'

/**
 * Synchronous: a voucher's last place goes once, and a place that is taken ends its device's session in the same
 * transaction; the gateways are told by whoever lets the new one in.
 */
export function byVoucher(attempt: Attempt): Outcome {
  const { runtime, place, device, sent, speech, now } = attempt
  const typed = sent.text('code')
  if (!typed.trim()) return wrongAt('code', speech.say('errors.codeMissing'))
  const instead = sent.text(insteadField)
  try {
    return runtime.db.transaction(
      () => {
        const redeemed = redeem(runtime, {
          ...{ network: place.network, code: typed, mac: device.mac, now },
          ...(instead && { instead }),
        })
        const { seconds, bytes, download, upload, voucher, name } = redeemed
        const entry = {
          ...{ method: guestMethods.voucher, seconds, voucher, label: name },
          ...(bytes !== undefined && { bytes }),
          ...rates(place, download, upload),
        }
        return { entry, replaced: endReplaced(attempt, redeemed) }
      },
      { behavior: 'immediate' },
    )
  } catch (error) {
    if (!isRefusal(error)) throw error
    const why = refusals[error.code]
    if (!why) throw error
    refuse(attempt, 'voucher', why, why === 'wrongVoucher')
    const { voucher, movable } = error.data
    if (movable !== true) return wrongAt('code', wordsOf(attempt, error.code, error.data))
    const places = usedPlaces(runtime, place.network, Number(voucher))
    return { full: { code: typed, places, gone: instead !== '' } }
  }
}
