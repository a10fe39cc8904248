import { createHash, timingSafeEqual } from 'node:crypto'
import { type CodeWay, type GuestMethod, guestMethods } from '@/model/guests/methods'
import type { GuestEnd } from '@/model/guests/session'
import { guestBounds } from '@/model/profiles/portal'
import type { Place } from '@/server/guests/sessions/place'
import { type Device, type Entry, type Guest, noteFailure } from '@/server/guests/sessions/store'
import type { UsedPlace } from '@/server/guests/sessions/voucher-places'
import type { Runtime } from '@/server/kernel/runtime'
import { countWrong } from './tries'
import type { Speech } from './words'

// What somebody sent to get in, and what comes of it.

/** A field of the page by its name, which its message names, too; '' is none. */
export type Wrong = { field: string; text: string }
/** What a guest sent, as it was typed: '' for what is not there. */
export type Sent = { method: string; terms: boolean; text(field: string): string }
export type Attempt = {
  runtime: Runtime
  place: Place
  device: Device
  sent: Sent
  speech: Speech
  /** What has to be accepted; absent: nothing. */
  terms: string | undefined
  /** The network's name. */
  house: string
  /** The address of this page, as the guest's browser has it. */
  here: string
  /** What the guest wanted to open. */
  asked: string | undefined
  now: number
}
/** A code is on its way to an address or a number; `entry`: until it is typed, the guest is in to read it. */
export type SentCode = { way: CodeWay; to: string; entry?: Entry }
/** A voucher is used on as many devices as it is good for: the guest says whose place this one takes. */
export type FullVoucher = { code: string; places: readonly UsedPlace[]; gone: boolean }
export type Outcome =
  | { entry: Entry; replaced?: Guest | undefined }
  | { sent: SentCode }
  | { full: FullVoucher }
  /** The address of a page elsewhere, which says how it goes on. */
  | { lead: string }
  | { wrong: readonly Wrong[] }

export const wrongAt = (field: string, text: string): { wrong: readonly Wrong[] } => ({ wrong: [{ field, text }] })

const digest = (text: string) => createHash('sha256').update(text).digest()
/** Whether they are the same, in a time that does not say how far. */
export const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

/** Says no, and keeps that it did; a guess counts towards the lock. */
export function refuse(attempt: Attempt, method: GuestMethod, why: GuestEnd, guess: boolean): void {
  const { runtime, place, device, now } = attempt
  if (guess) countWrong(runtime, place, device, now)
  noteFailure(runtime, place, device, guestMethods[method], why, now)
}

/** The policy's rates hold where whatever lets in says none; kbit/s. */
export function rates({ policy }: Place, download?: number, upload?: number) {
  const own = guestBounds(policy)
  const [down, up] = [download ?? own.download, upload ?? own.upload]
  return { ...(down !== undefined && { download: down }), ...(up !== undefined && { upload: up }) }
}

/** In for as long as the policy says. */
export function byPolicy({ place }: Attempt, method: GuestMethod, more: Partial<Entry> = {}): { entry: Entry } {
  const { seconds } = guestBounds(place.policy)
  return { entry: { method: guestMethods[method], seconds, ...rates(place), ...more } }
}
