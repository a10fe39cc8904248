import * as z from 'zod'
import { email } from '@/model/email'
import { isUserName } from '@/model/password'
import { accountName } from '@/model/users'
import type { Examined } from '@/server/devices/adoption/examine'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'
import { country, networkName, timezone } from '@/server/kernel/shapes'
import { checkNewPassword, newPasswordFields } from '@/server/people/accounts/new-password'

/** What each step of the wizard sends. The password comes in clear, over https only, so that rule A9 holds here too. */
export const generalStep = z.strictObject({
  step: z.literal('general'),
  name: networkName,
  country,
  timezone,
  language: z.string().min(2).max(8),
})
const accountFields = z.strictObject({
  step: z.literal('account'),
  // One name for both: what they sign in with (rule A6) and what they are called (rule A7).
  account: accountName.refine(isUserName, 'userNameKind'),
  email: email.or(z.literal('')).optional(),
  ...newPasswordFields,
})
export const accountStep = accountFields.check(checkNewPassword)

export type Draft = {
  general?: Omit<z.output<typeof generalStep>, 'step'>
  /** `password` is the argon2id hash already. */
  account?: { account: string; email: string; password: string }
  /** What adoption found out, logins included; finish makes rows of it. */
  devices?: Examined[]
  /** Data of the ssid document, as its form sends it. */
  ssid?: Record<string, unknown>
  /** Steps the person passed by. */
  skipped?: ('devices' | 'ssid')[]
}

/** The work so far, sealed, and the digest of the browser it is bound to. */
export const draftState = state(
  'wizardDraft',
  z.object({ sealed: z.string().default(''), browser: z.string().default('') }),
)

const place = 'settings:wizardDraft:sealed'

export function readDraft(runtime: Runtime): Draft {
  const { sealed } = draftState.read(runtime.db)
  return sealed ? (JSON.parse(runtime.secrets.open(sealed, place)) as Draft) : {}
}

/** Merges into the draft on disk: sealed, and there before the answer goes out. */
export function saveDraft(runtime: Runtime, change: Partial<Draft>): Draft {
  const next = { ...readDraft(runtime), ...change }
  draftState.change(runtime.db, { sealed: runtime.secrets.seal(JSON.stringify(next), place) })
  return next
}
