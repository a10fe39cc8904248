import { type GuestMethod, guestMethods } from '@/model/guests/methods'
import { blockOf } from '@/server/guests/sessions/blocks'
import { comeIn } from '@/server/guests/sessions/come-in'
import { isCrowded } from '@/server/guests/sessions/crowd'
import { removeEverywhere } from '@/server/guests/sessions/gate'
import { closingOf, openingOf, withinHours } from '@/server/guests/sessions/opening'
import { type Guest, type Entry as Means, noteFailure } from '@/server/guests/sessions/store'
import { wrongAt } from './attempt'
import { enter } from './enter'
import { leadShown } from './external-lead'
import { blockedPage, hoursPage } from './page'
import type { Redirect } from './signed'
import type { Answer, Visit } from './visit'
import { codeStep, full, letIn, refused, sentOf } from './visit-pages'

// From what somebody sent to who is in, or to the page that says why not.

/** Whoever is blocked is told so, whatever they sent; undefined: nobody is. */
export function keptOut(
  { runtime, place, speech, house, splash, said, now }: Visit,
  redirect: Redirect,
): Answer | undefined {
  const block = blockOf(runtime, place.network, redirect.mac, now)
  if (!block) return undefined
  const method = said.get('method') ?? ''
  if (Object.hasOwn(guestMethods, method))
    noteFailure(runtime, place, redirect, guestMethods[method as GuestMethod], 'blocked', now)
  const until = block.until === null ? {} : { until: speech.moment(block.until, now) }
  return { page: blockedPage({ speech, house, splash, ...until }), status: 403 }
}

/** Outside of the portal's schedule, when it opens next; undefined: it is open. */
export function shutNow({ runtime, place, speech, house, splash, now }: Visit): Answer | undefined {
  const opening = openingOf(runtime, place, now)
  if (opening.open) return undefined
  const next = opening.next === undefined ? {} : { next: speech.moment(opening.next, now) }
  return { page: hoursPage({ speech, house, splash, ...next }), status: 403 }
}

function crowded(visit: Visit, device: Redirect, { method }: Means): Answer {
  const { runtime, place, speech, now } = visit
  noteFailure(runtime, place, device, method, 'devicesFull', now)
  return refused(visit, wrongAt('', speech.say('errors.crowded', { count: place.policy.maxDevices ?? 0 })).wrong)
}

/** Lets in; whose place it is goes out at the same time. */
async function comeInstead({ runtime, place, now }: Visit, device: Redirect, entry: Means, replaced?: Guest) {
  const came = comeIn(runtime, place, device, entry, now)
  const [guest] = await Promise.all([came, replaced && removeEverywhere(runtime, [replaced])])
  return guest
}

export async function entered(visit: Visit, redirect: Redirect): Promise<Answer> {
  const { runtime, place, speech, house, terms, now, said, here } = visit
  const about = { runtime, place, device: redirect, speech, house, terms, here, asked: redirect.url, now }
  const found = enter({ ...about, sent: sentOf(said) })
  // Awaited only where somebody outside was asked: between a voucher's last place and its session lies nothing.
  const outcome = found instanceof Promise ? await found : found
  if ('wrong' in outcome) return refused(visit, outcome.wrong)
  if ('full' in outcome) return { page: full(visit, outcome.full) }
  if ('lead' in outcome) return leadShown(visit, outcome.lead)
  // While somebody outside was asked.
  const out = keptOut(visit, redirect)
  if (out) return out
  const code = 'sent' in outcome ? outcome.sent : undefined
  const { entry: own, replaced } = 'entry' in outcome ? outcome : { ...outcome.sent, replaced: undefined }
  const entry = own && withinHours(own, closingOf(runtime, place, { started: now, method: own.method }, now), now)
  if (entry && isCrowded(runtime, place, redirect, entry)) return crowded(visit, redirect, entry)
  const came = entry && (await comeInstead(visit, redirect, entry, replaced))
  if (came) return letIn(visit, came)
  if (code) return { page: codeStep(visit, code) }
  return refused(visit, wrongAt('', speech.say('errors.gateway')).wrong, 503)
}
