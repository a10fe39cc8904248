import * as z from 'zod'
import { f } from '../fields'
import { section, single } from '../kind'
import { limits } from '../limits'

const { sessionTimeoutMinutes: minutes, passwordNoticeDays: days } = limits

const fields = z.strictObject({
  /** Rule A16. */
  sessionTimeout: f.int(minutes.min, minutes.max, { unit: 'minutes', rule: 'A16' }).default(minutes.default),
  /** The time-out above holds for everybody; otherwise each may choose an own one. */
  syncTimeouts: f.boolean().default(true),
  /** After how many days a person is asked for a new password; 0 never. */
  passwordNoticeDays: f.int(0, days.max, { unit: 'days' }).default(days.default),
  /** Who signs in with a password has to have a second factor. */
  forceMfa: f.boolean().default(false),
  /** Strangers may ask for an account; their addresses are proven by letters. */
  signUp: f.boolean().default(false),
})
export type Security = z.output<typeof fields>

/** What holds for everybody who signs in, of all companies on the manager. */
export const security = single({
  id: 'security',
  area: 'security',
  scope: 'manager',
  fields,
  sections: [section('rules', ['sessionTimeout', 'syncTimeouts', 'passwordNoticeDays', 'forceMfa', 'signUp'])],
  rules: [],
})
