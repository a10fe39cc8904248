import * as z from 'zod'
import { normalSegment } from '@/model/addresses'
import { mailServer } from '@/model/mail/server'
import { notices } from '@/model/notify/notices'
import { webhookSegments } from '@/model/notify/webhook-segments'
import { adoptOwn, storeOwn } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { takeSetting } from '@/server/kernel/settings'
import { addHook, managerAdmin, newSecret } from '@/server/notify/webhooks/hooks'
import { allowedSegments, literalOf } from '@/server/notify/webhooks/targets'
import { hostOrganization } from '@/server/people/accounts/actor'
import { newestAlert, noticeValues, tellFrom } from './notices'

// What the settings of alerts held before there were one mail server, and webhooks, for everything.

type Stored = Record<string, unknown>

const oldMail = z.object({ mail: z.looseObject({ host: z.string() }), mailPassword: z.string().default('') })

/** Alerts had a mail server of their own: it becomes the one for everything, unless that is set. */
function moveMail(runtime: Runtime, stored: Stored): Stored {
  const old = oldMail.safeParse(stored)
  if (!old.success) return stored
  const { to, ...server } = old.data.mail
  adoptOwn(runtime, mailServer, { values: { ...server, password: old.data.mailPassword } })
  const { mailPassword: _, ...rest } = stored
  return { ...rest, mail: { to } }
}

const oldHook = z.object({
  mode: z.string(),
  level: z.int().default(15),
  webhook: z.object({ url: z.url({ protocol: /^https?$/ }) }),
  webhookSecret: z.string().default(''),
})

/** An address that was written as a number stays in reach. */
function allow(runtime: Runtime, url: string): void {
  const address = literalOf(new URL(url))
  if (address === undefined) return
  const segments = new Set([...allowedSegments(runtime), normalSegment(address)])
  storeOwn({ runtime, actor: { organization: 0, account: '' }, now: Date.now() }, runtime.db, webhookSegments, {
    segments: [...segments],
  })
}

/** Alerts had one web address of their own: it becomes a webhook of whoever looks after the manager longest. */
function moveHook(runtime: Runtime, stored: Stored): Stored {
  const { webhook: _url, webhookSecret: _secret, ...rest } = stored
  const old = oldHook.safeParse(stored)
  const keeper = managerAdmin(runtime.db)
  if (!old.success || !keeper) return rest
  const { mode, level, webhook, webhookSecret } = old.data
  const on = mode === 'webhook'
  const made = { name: 'Alerts', url: webhook.url, topics: '["alerts"]', level, networks: null }
  const state = on ? 'on' : 'off'
  addHook(runtime, { ...made, account: keeper.id, state }, webhookSecret || newSecret(), Date.now())
  allow(runtime, webhook.url)
  return on ? { ...rest, mode: 'off' } : rest
}

/** Brings settings of an earlier version to where they are kept now; what is not understood is off. */
export function migrateNotices(runtime: Runtime): void {
  const { db, secrets } = runtime
  const organization = hostOrganization(db)
  if (organization === null) return
  db.transaction(() => {
    const { sealed, mailed } = takeSetting(db, 'notices')
    if (!sealed) return
    const stored = JSON.parse(secrets.open(String(sealed), 'settings:notices:sealed')) as Stored
    adoptOwn(runtime, notices, { organization, values: noticeValues(moveHook(runtime, moveMail(runtime, stored))) })
    tellFrom(db, organization, typeof mailed === 'number' ? mailed : newestAlert(db))
  })
}
