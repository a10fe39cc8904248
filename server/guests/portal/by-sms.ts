import { dialled } from '@/model/guests/phone'
import { limits } from '@/model/limits'
import { findSmsGateway, type Place } from '@/server/guests/sessions/place'
import { type SmsOutcome, sendSms } from '@/server/guests/sms/send'
import { withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { segmentsFor, systemLookup } from '@/server/notify/webhooks/targets'
import { type Attempt, type Outcome, wrongAt } from './attempt'
import { filledText, keepCode, maySend, newCode } from './sent-codes'

/** A guest waits for it with the page open. */
const limitMs = 20_000

/** Somebody has to look at the gateway: once an hour, since each guest meets the same. */
function tellFailed(runtime: Runtime, { organization, network }: Place, name: string, reason: string, now: number) {
  if (!withinRate(runtime, `guest sms ${network} failed`, 1, 3_600_000, now)) return
  raiseAlert(runtime, {
    ...{ type: 'guestSmsFailed', organization, network, at: now },
    values: { gateway: name, reason },
  })
}

const textOf = ({ place, speech, house }: Attempt, code: string): string => {
  const { smsText } = place.policy
  return smsText ? filledText(smsText, code) : speech.say('smsText', { house, code, minutes: limits.codeMinutes })
}

/** The first step: a code goes to the number. */
export async function sendText(attempt: Attempt): Promise<Outcome> {
  const { runtime, place, device, sent, speech, now } = attempt
  const { say } = speech
  const gateway = await findSmsGateway(runtime, place)
  if (!gateway) return wrongAt('phone', say('errors.smsOff'))
  const typed = dialled(sent.text('phone'), gateway.countryCodes)
  if ('problem' in typed) return wrongAt('phone', say(`errors.phone.${typed.problem}`))
  const to = typed.number
  if (!maySend(runtime, place, device, { way: 'sms', to }, now)) return wrongAt('phone', say('errors.codesOften'))
  const code = newCode()
  const message = textOf(attempt, code)
  const outcome: SmsOutcome = await sendSms(
    gateway,
    { to, message },
    {
      ...{ allowed: segmentsFor(runtime, place.organization), lookup: systemLookup, limitMs },
      stop: AbortSignal.timeout(limitMs + 1000),
    },
  )
  if (outcome === 'number') return wrongAt('phone', say('errors.phone.refused'))
  if (outcome !== 'sent') {
    // What the gateway repeats of the message is nobody's who reads alerts.
    tellFailed(runtime, place, gateway.name, outcome.reason.replaceAll(code, '******'), now)
    return wrongAt('phone', say('errors.smsOff'))
  }
  keepCode(runtime, place, device, { way: 'sms', to, code }, now)
  return { sent: { way: 'sms', to } }
}
