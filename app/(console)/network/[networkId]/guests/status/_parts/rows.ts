import type { CallOutput } from '@/app/_api/client'
import { type GuestMethod, guestMethods } from '@/model/guests/methods'
import { guestStates } from '@/model/guests/session'

export type Listed = CallOutput<'guests/list'>
export type Guest = Listed['result'][number]

/** Of a code; undefined for one that this version does not know. */
export const methodOf = (code: number): GuestMethod | undefined =>
  (Object.keys(guestMethods) as GuestMethod[]).find(name => guestMethods[name] === code)

export const isIn = ({ ended }: Pick<Guest, 'ended'>): boolean => ended === null

/** Filters of the page's address → of the call. */
export const filterOf = ({ state, method }: Readonly<Record<string, string>>) => ({
  ...(state !== undefined && state !== '' && { state: Number(state) as Guest['state'] }),
  ...(method !== undefined && method !== '' && { method: Number(method) as (typeof guestMethods)[GuestMethod] }),
})

/** Always shown, in this order. */
export const stateChips = [
  ['in', guestStates.succeeded, 'online'],
  ['was', guestStates.expired, 'offline'],
  ['failed', guestStates.failed, 'failed'],
] as const
