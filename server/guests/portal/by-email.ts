import { email } from '@/model/email'
import { guestMethods } from '@/model/guests/methods'
import { limits } from '@/model/limits'
import { isRefusal } from '@/server/kernel/fail'
import { queueMail } from '@/server/mail/queue'
import { readMailServer } from '@/server/mail/server'
import { type Attempt, type Outcome, rates, wrongAt } from './attempt'
import { filledText, keepCode, mayRead, maySend, newCode } from './sent-codes'

/** Sends the device a new code. `often`: too many lately; `off`: no mail can be sent. */
function mailCode({ runtime, place, device, speech, house, now }: Attempt, to: string): 'sent' | 'often' | 'off' {
  if (!readMailServer(runtime)) return 'off'
  if (!maySend(runtime, place, device, { way: 'email', to }, now)) return 'often'
  const code = newCode()
  const { letter } = place.policy
  const own = letter && { template: 'guestCodeOwn' as const, values: { lines: filledText(letter, code).split('\n') } }
  const plain = { template: 'guestCode' as const, values: { code, minutes: limits.codeMinutes } }
  const { template, values } = own || plain
  try {
    runtime.db.transaction(tx =>
      queueMail(runtime, tx, {
        ...{ organization: place.organization, to, locale: speech.locale, template, values: { house, ...values } },
        seconds: limits.codeMinutes * 60,
      }),
    )
  } catch (error) {
    if (isRefusal(error)) return 'off'
    throw error
  }
  keepCode(runtime, place, device, { way: 'email', to, code }, now)
  return 'sent'
}

/** The first step: a code goes to the address. */
export function sendMailCode(attempt: Attempt): Outcome {
  const { runtime, place, device, sent, speech, now } = attempt
  const { say } = speech
  const typed = sent.text('email').trim()
  if (!typed) return wrongAt('email', say('errors.emailMissing'))
  const address = email.safeParse(typed)
  if (!address.success) return wrongAt('email', say('errors.answer.email'))
  const to = address.data
  const done = mailCode(attempt, to)
  if (done !== 'sent') return wrongAt('email', say(done === 'often' ? 'errors.codesOften' : 'errors.mailOff'))
  const seconds = place.policy.mailMinutes * 60
  if (!seconds || !mayRead(runtime, place, device, now)) return { sent: { way: 'email', to } }
  const entry = { method: guestMethods.email, seconds, label: to, provisional: true, ...rates(place) }
  return { sent: { way: 'email', to, entry } }
}
