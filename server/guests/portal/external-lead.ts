import { leadPage } from './page'
import type { Answer, Visit } from './visit'

/** A page elsewhere that is the only way in needs no button, unless something has to be accepted before. */
export const isLedAtOnce = ({ place, terms }: Pick<Visit, 'place' | 'terms'>): boolean =>
  place.policy.methods.length === 1 && place.policy.methods[0] === 'external' && !terms

/** The page that leads to a page elsewhere, `to` its address with the question. */
export const leadShown = ({ speech, house, splash }: Visit, to: string): Answer => ({
  page: leadPage({ speech, house, splash, to }),
})
