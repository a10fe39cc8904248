import { type GuestMethod, guestMethods } from '@/model/guests/methods'
import { restOf, type UseLeft, withinUse } from '@/server/guests/sessions/use'
import { type Attempt, byPolicy, type Outcome, refuse, same, wrongAt } from './attempt'
import { byCode } from './by-code'
import { sendMailCode } from './by-email'
import { byExternal } from './by-external'
import { answerField, byForm } from './by-form'
import { byLogin, loginFields } from './by-login'
import { sendText } from './by-sms'
import { byVoucher } from './by-voucher'
import { guessing, isLocked } from './tries'

// By what somebody gets in: looked at here, and nowhere else.

function byPassword(attempt: Attempt): Outcome {
  const { place, sent, speech, now } = attempt
  const { password } = place.policy
  const typed = sent.text('password')
  if (!typed) return wrongAt('password', speech.say('errors.passwordMissing'))
  if (password !== undefined && same(typed, password)) {
    if ((place.passwordEnds ?? Number.POSITIVE_INFINITY) > now) return byPolicy(attempt, 'simplePassword')
    refuse(attempt, 'simplePassword', 'passwordOver', false)
    return wrongAt('password', speech.say('errors.passwordOver'))
  }
  refuse(attempt, 'simplePassword', 'wrongPassword', true)
  return wrongAt('password', speech.say('errors.passwordWrong'))
}

type Means = {
  enter(attempt: Attempt): Outcome | Promise<Outcome>
  /** Fields of the page that are its own. */
  fields(attempt: Attempt): readonly string[]
  /** Something is guessed by it. */
  guessed: boolean
}

const means: Record<GuestMethod, Means> = {
  voucher: { enter: byVoucher, fields: () => ['code'], guessed: true },
  simplePassword: { enter: byPassword, fields: () => ['password'], guessed: true },
  form: {
    enter: byForm,
    fields: ({ place }) => (place.policy.questions ?? []).map((_, at) => answerField(at)),
    guessed: false,
  },
  email: { enter: byCode('email', 'email', sendMailCode), fields: () => ['email', 'step'], guessed: true },
  sms: { enter: byCode('sms', 'phone', sendText), fields: () => ['phone', 'step'], guessed: true },
  radius: { enter: byLogin('radius'), fields: () => Object.values(loginFields.radius), guessed: true },
  directory: { enter: byLogin('directory'), fields: () => Object.values(loginFields.directory), guessed: true },
  external: { enter: byExternal, fields: () => [], guessed: true },
  free: { enter: attempt => byPolicy(attempt, 'free'), fields: () => [], guessed: false },
}
const isMethod = (name: string): name is GuestMethod => Object.hasOwn(means, name)

/**
 * Enter in a field presses the first button of the form, whosever it is: where nothing of its own was typed, it was the
 * way in of which something was.
 */
function meant(attempt: Attempt): string {
  const { sent, place } = attempt
  const typed = (method: GuestMethod) => means[method].fields(attempt).some(field => sent.text(field).trim() !== '')
  if (!isMethod(sent.method) || typed(sent.method) || means[sent.method].fields(attempt).length === 0)
    return sent.method
  return place.policy.methods.find(typed) ?? sent.method
}

const ofDevice = ({ place, device }: Attempt, method: GuestMethod) => ({
  ...{ network: place.network, mac: device.mac, method: guestMethods[method] },
})

/** For no longer than is left of the day and the month. */
function bounded(outcome: Outcome, left: UseLeft): Outcome {
  if ('entry' in outcome) return { entry: withinUse(outcome.entry, left) }
  if (!('sent' in outcome) || !outcome.sent.entry) return outcome
  return { sent: { ...outcome.sent, entry: withinUse(outcome.sent.entry, left) } }
}

/**
 * By what and within which bounds the guest comes in, or what is wrong with what was sent. Without a promise where nobody
 * outside is asked.
 */
export function enter(attempt: Attempt): Outcome | Promise<Outcome> {
  const { runtime, place, device, sent, terms, speech, now } = attempt
  const method = meant(attempt)
  if (!isMethod(method) || !place.policy.methods.includes(method)) return wrongAt('', speech.say('errors.method'))
  if (terms && !sent.terms) return wrongAt('terms', speech.say('errors.terms'))
  if (means[method].guessed && isLocked(runtime, place, device, now))
    return wrongAt('', speech.say('errors.locked', { minutes: guessing.minutes }))
  if (method === 'voucher') return means[method].enter(attempt)
  const left = restOf(runtime, place.policy, ofDevice(attempt, method), now)
  if (left.none) {
    refuse(attempt, method, left.none.why, false)
    return wrongAt('', speech.say(`errors.${left.none.why}`, { moment: speech.moment(left.none.again, now) }))
  }
  const found = means[method].enter(attempt)
  return found instanceof Promise ? found.then(one => bounded(one, left)) : bounded(found, left)
}
