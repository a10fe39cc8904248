import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts } from '@/db/schema'
import { guideSteps } from '@/model/guide'
import { call } from '@/server/kernel/call'
import { guideOf } from './steps'

const get = call({
  path: 'guide/get',
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: false,
  input: z.strictObject({}),
  /** {step, steps: [{id, path, done}]}, see `guideOf`. */
  run: ({ runtime, actor }) => guideOf(runtime, actor),
})

const step = call({
  path: 'guide/step',
  topics: ['guide'],
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: true,
  changelog: 'own',
  // The page may be left right after a press on Skip.
  send: 'keepalive',
  input: z.strictObject({ step: z.int().min(guideSteps.start).max(guideSteps.away) }),
  run({ runtime, actor }, input) {
    runtime.db.update(accounts).set({ guideStep: input.step }).where(eq(accounts.id, actor.id)).run()
    return input
  },
})

const manual = call({
  path: 'sso/user/manual',
  tag: 'signIn',
  authority: 'session',
  scope: 'organization',
  changes: false,
  get: true,
  input: z.strictObject({}),
  /** {value}: where the manual opens, on this manager. */
  run: () => ({ value: '/account/help' }),
})

export const guideCalls = [get, step, manual] as const
