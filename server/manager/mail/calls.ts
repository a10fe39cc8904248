import { and, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { mails } from '@/db/schema'
import { email } from '@/model/email'
import { type MailServer, mailServer } from '@/model/mail/server'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { listed, listInput } from '@/server/kernel/lists'
import { olderInput } from '@/server/kernel/own-fields'
import { judgeOwn, removeOwn, saveOwn } from '@/server/kernel/own-settings'
import { lastMail } from '@/server/mail/last'
import { endMails, retryMails, wakeMail } from '@/server/mail/queue'
import { render } from '@/server/mail/render'
import { mailSettings, readMailServer } from '@/server/mail/server'
import { reasonOf, sendMail } from '@/server/mail/transport'

const reading = { tag: 'manager', scope: 'organization', authority: 'organization_mail', changes: false } as const
const changing = {
  tag: 'manager',
  scope: 'organization',
  authority: 'organization_mail_edit',
  changes: true,
  topics: ['mail'],
  changelog: 'entry',
  send: 'once',
} as const

/** As it was told before it was a kind: '' for what is not set. */
const shown = ({ password, ...rest }: MailServer) => ({
  ...{ replyTo: '', publicUrl: '', ...rest },
  ...(password !== undefined && { password: { set: true as const } }),
})

const get = call({
  ...reading,
  path: 'system-settings/smtp',
  input: z.strictObject({}),
  /** {server: null} while none is set; `last`: how the last mail of the queue fared. */
  run({ runtime }) {
    const server = readMailServer(runtime)
    return { server: server ? shown(server) : null, last: lastMail.read(runtime.db).last ?? null }
  },
})

const save = call({
  ...changing,
  path: 'system-settings/smtp/save',
  input: olderInput(mailServer),
  run(context, fields) {
    const { values } = saveOwn(context, mailSettings, { fields, lenient: true })
    return { server: shown(values) }
  },
})

const remove = call({
  ...changing,
  path: 'system-settings/smtp/delete',
  input: z.strictObject({}),
  /** What waits stays until another server is set, or its time is over. */
  run(context) {
    if (!removeOwn(context, mailSettings)) fail('mailNotSet')
    return {}
  },
})

const test = call({
  ...changing,
  path: 'system-settings/test-email',
  changelog: 'looks',
  send: 'each',
  seconds: 60,
  input: olderInput(mailServer).extend({ to: email }),
  /** Sends one mail now by these settings, without saving them; `response` is what the server answered. */
  async run(context, { to, ...fields }) {
    const { next: server } = judgeOwn(context, mailSettings, { fields, lenient: true })
    const { name, language } = readGeneral(context.runtime.db)
    const mail = await render('test', language, { manager: name })
    const response = await sendMail(server, { to: String(to), ...mail }).catch(error =>
      fail('mailFailed', { detail: reasonOf(error, [server.password ?? '']) }),
    )
    return { response }
  },
})

const visible = ({ actor }: OrganizationContext): SQL | undefined =>
  or(eq(mails.organization, actor.organization), isNull(mails.organization))

const list = call({
  ...reading,
  path: 'mail/list',
  input: z.strictObject(listInput),
  /** What waits and what was given up, the newest first; never what stands in a mail. */
  run(context, input) {
    const rows = context.runtime.db
      .select({
        id: mails.id,
        recipient: mails.recipient,
        template: mails.template,
        state: mails.state,
        attempts: mails.attempts,
        error: mails.error,
        createdAt: mails.createdAt,
        nextAt: mails.nextAt,
      })
      .from(mails)
      .where(visible(context))
      .orderBy(desc(mails.id))
      .all()
    return listed(rows, input, {
      text: ({ recipient }) => [recipient],
      sort: {
        recipient: mail => mail.recipient,
        about: mail => mail.template,
        state: mail => mail.state,
        error: mail => mail.error,
        next: mail => mail.nextAt,
        at: mail => mail.createdAt,
      },
    })
  },
})

const some = z.strictObject({ ids: z.array(z.int()).min(1, 'required').max(2000) })

/** The mails named, each of which must be there and of this organization. */
function named(context: OrganizationContext, ids: readonly number[]): number[] {
  const found = context.runtime.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(visible(context), inArray(mails.id, [...ids])))
    .all()
  if (found.length !== new Set(ids).size) fail('mailNotFound')
  return found.map(row => row.id)
}

const retry = call({
  ...changing,
  path: 'mail/retry',
  send: 'each',
  input: some,
  /** Now, also what was given up. */
  run(context, { ids }) {
    const { runtime, now, log } = context
    const again = named(context, ids)
    runtime.db.transaction(() => {
      retryMails(runtime.db, again, now)
      log({ action: 'retry', object: 'mail', name: String(again.length) })
    })
    wakeMail(runtime)
    return { changed: again.length }
  },
})

const drop = call({
  ...changing,
  path: 'mail/delete',
  input: some,
  /** What is on its way at this moment may still arrive. */
  run(context, { ids }) {
    const { runtime, log } = context
    const dropped = named(context, ids)
    runtime.db.transaction(() => {
      endMails(runtime.db, dropped)
      log({ action: 'delete', object: 'mail', name: String(dropped.length) })
    })
    runtime.bus.emit({ topic: 'mail' })
    return { deleted: dropped.length }
  },
})

export const mailCalls = [get, save, remove, test, list, retry, drop] as const
