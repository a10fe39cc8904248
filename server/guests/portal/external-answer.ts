import { gateKey } from '@/server/devices/change/plan/gate'
import { entered, keptOut, shutNow } from './entered'
import { askAnswered, keepAsk } from './external'
import { signedQuery } from './signed'
import { isHasty } from './tries'
import type { Answer, Visit } from './visit'
import { hasty, trouble } from './visit-pages'

/** Somebody comes back from a page elsewhere, with its answer: about the device that was led there, whoever brings it. */
export async function returned(visit: Visit, answer: string): Promise<Answer> {
  const { runtime, place, said: came, now } = visit
  const ask = askAnswered(runtime, place, answer, now)
  if (!ask) return trouble(visit, 'old')
  const said = signedQuery(gateKey(runtime, place.network), ask, now)
  const redirect = { ...ask, at: Math.floor(now / 1000) }
  const home = { ...visit, said, redirect }
  if (isHasty(runtime, place, ask, now)) return hasty(home)
  const out = keptOut(home, redirect) ?? shutNow(home)
  if (out) return out
  const form = { method: 'external', terms: '1', answer, answerSig: came.get('sig') ?? '' }
  const done = await entered({ ...home, said: new URLSearchParams([...said, ...Object.entries(form)]) }, redirect)
  if (done.status === 503) keepAsk(runtime, ask)
  // By an address that can be opened again, and that tells nobody the answer.
  return done.keep ? { ...done, to: `/portal/${place.lan}?${said}` } : done
}
