import type { Place } from '@/server/guests/sessions/place'
import { type Guest, guestByToken } from '@/server/guests/sessions/store'
import type { Runtime } from '@/server/kernel/runtime'
import type { Proof } from './page'
import type { Redirect, Refused } from './signed'
import type { Splash } from './splash'
import type { Speech } from './words'

// Somebody who comes to the portal's address, and what is answered.

export type Visit = {
  runtime: Runtime
  splash: Splash | undefined
  /** The house's own page by its id. */
  own: string | undefined
  /** What has to be accepted. */
  terms: string | undefined
  place: Place
  house: string
  speech: Speech
  now: number
  /** Of the query, or of the form that was sent. */
  said: URLSearchParams
  redirect: Redirect | Refused
  /** What the browser keeps of a session. */
  token: string | undefined
  /** The address of this page, as the guest's browser has it. */
  here: string
}

/** `to`: by its address in place of the page. */
export type Answer = {
  page: string
  policy?: string
  status?: number
  to?: string
  keep?: { token: string; ends: number } | 'forget'
}

export const isRefused = (redirect: Redirect | Refused): redirect is Refused => 'refused' in redirect

export const byToken = ({ runtime, place, token }: Visit): Guest | undefined =>
  token ? guestByToken(runtime, place.lan, token) : undefined

/** What goes along with the next form. */
export function proofOf({ said, token, redirect }: Visit): Proof {
  if (isRefused(redirect)) return token ? { token } : {}
  const names = ['mac', 'ip', 'at', 'sig', 'url']
  return Object.fromEntries(names.flatMap(name => (said.has(name) ? [[name, said.get(name) ?? '']] : [])))
}

/** The same page without the offer to go on with a former session. */
export const otherWay = (place: Place, proof: Proof): string =>
  `/portal/${place.lan}?${new URLSearchParams({ ...proof, other: '1' })}`
