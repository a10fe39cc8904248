import { createTransport } from 'nodemailer'
import type { Db } from '@/db/client'
import type feedbackWords from '@/locales/en/feedback.json'
import { available, localeOf } from '@/model/locales'
import type { MailServer } from '@/model/mail/server'
import { type FeedbackAddress, feedbackAddress } from '@/model/manager/feedback-address'
import { readGeneral } from '@/server/kernel/general'
import { type Next, type Outbox, startOutbox } from '@/server/kernel/outbox'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { takeFormer } from '@/server/kernel/settings'
import { wordsOf } from '@/server/kernel/words'
import { render } from '@/server/mail/render'
import { readMailServer } from '@/server/mail/server'
import { type Mail, message, reasonOf, sendMail } from '@/server/mail/transport'
import { takeFormerFeedback } from './former'
import { attached, drop, dropStaged, type Feedback, kept, noteError } from './store'

const retryMs = 600_000
const stagedMs = 3_600_000
const lineCharacters = 80

/** '' where feedback stays here. */
export const readFeedbackAddress = (db: Db): string => readOwnOrDefaults(db, feedbackAddress).address ?? ''

export const feedbackSettings: OwnSettings<FeedbackAddress> = {
  kind: feedbackAddress,
  /** What waits is sent at once. */
  applied: runtime => void deliverKept(runtime).catch(error => console.error('feedback:', error)),
  former: ({ db }) => takeFormer(db, 'feedback'),
}

/** Where feedback goes: the address that was set, where there is a mail server; else why it stays here. */
export function targetOf(runtime: Runtime): { to: string; server: MailServer } | { why: 'noAddress' | 'noServer' } {
  const address = readFeedbackAddress(runtime.db)
  if (!address) return { why: 'noAddress' }
  const server = readMailServer(runtime)
  return server ? { to: address, server } : { why: 'noServer' }
}

/** Feedback as a mail to `to`, in the manager's language; answers go to the person who wrote it. */
async function mailOf(runtime: Runtime, feedback: Feedback, to: string): Promise<Mail> {
  const { name: manager, language } = readGeneral(runtime.db)
  const locale = available.find(one => one === localeOf(language)) ?? 'en'
  const words = await wordsOf<typeof feedbackWords>(locale, 'feedback')
  const { id, kind, text, account, name, role, version, browser, reply } = feedback
  const about = text.split('\n')[0]?.slice(0, lineCharacters) ?? ''
  const values = { manager, about, account, name, role, version, browser, kind: words.kinds[kind].label }
  const bytes = attached(runtime, feedback)
  return {
    to,
    message: id,
    replyTo: reply,
    ...(await render('feedback', language, values, text)),
    ...(feedback.attachment &&
      bytes && { attachment: { filename: feedback.attachment.name, type: feedback.attachment.type, bytes } }),
  }
}

/** The mail as a file that every mail program opens. */
export async function asFile(runtime: Runtime, feedback: Feedback): Promise<Buffer> {
  const address = readFeedbackAddress(runtime.db)
  const server = readMailServer(runtime)
  const mail = await mailOf(runtime, feedback, address || 'feedback@lanward.invalid')
  const from = { from: server?.from ?? 'manager@lanward.invalid', fromName: server?.fromName ?? '', replyTo: '' }
  const { message: file } = await createTransport({ streamTransport: true, buffer: true, newline: 'unix' }).sendMail({
    ...message(from, mail),
    date: new Date(feedback.at),
  })
  return file as Buffer
}

export type Outcome =
  | { state: 'sent'; to: string }
  | { state: 'kept'; why: 'noAddress' | 'noServer' | 'failed'; detail: string }

/** One try: it goes, and is forgotten; where that fails it stays, with the reason. */
async function attempt(runtime: Runtime, feedback: Feedback): Promise<Outcome> {
  const target = targetOf(runtime)
  if ('why' in target) return { state: 'kept', why: target.why, detail: '' }
  try {
    await sendMail(target.server, await mailOf(runtime, feedback, target.to))
    drop(runtime, feedback.id)
    return { state: 'sent', to: target.to }
  } catch (error) {
    const detail = reasonOf(error, [target.server.password ?? ''])
    noteError(runtime, feedback.id, detail)
    return { state: 'kept', why: 'failed', detail }
  }
}

type FeedbackOutbox = Outbox<Feedback, Outcome> & { retryNow(): void }
const feedbackOutbox = part<FeedbackOutbox>('feedback')

/** The oldest goes first. Where one does not get through, the others wait as well: it is the same server. */
function startSending(runtime: Runtime): FeedbackOutbox {
  let nextAt = Date.now() + retryMs
  const outbox = startOutbox(runtime, {
    name: 'feedback',
    atOnce: 1,
    keyOf: ({ id }: Feedback) => id,
    next(now, busy): Next<Feedback> | undefined {
      const due = kept(runtime).findLast(one => !busy.includes(one.id))
      if (!due) return undefined
      return nextAt > now ? { at: nextAt } : { due }
    },
    async send(feedback) {
      const before = nextAt
      // One that goes at once, out of its turn, puts off no other.
      if (before <= Date.now()) nextAt = Date.now() + retryMs
      const outcome = await attempt(runtime, feedback)
      if (outcome.state === 'sent') nextAt = Math.min(nextAt, before)
      return outcome
    },
  })
  return {
    ...outbox,
    retryNow() {
      nextAt = 0
      outbox.wake()
    },
  }
}

/** Sends what was just written; where that fails it stays, with the reason. */
export async function deliver(runtime: Runtime, feedback: Feedback): Promise<Outcome> {
  const outcome = await feedbackOutbox.of(runtime).sendNow(feedback)
  return outcome ?? { state: 'kept', why: 'failed', detail: feedback.error }
}

/** Sends what waits now, the oldest first, until one does not get through. */
export async function deliverKept(runtime: Runtime): Promise<void> {
  const outbox = feedbackOutbox.of(runtime)
  outbox.retryNow()
  await outbox.idle()
}

/** Tries again what waits, and throws away attachments that were never sent. */
export async function startFeedback(runtime: Runtime): Promise<void> {
  await takeFormerFeedback(runtime)
  feedbackOutbox.start(runtime, startSending(runtime))
  runtime.jobs.start({ id: 'feedback', every: retryMs, run: one => dropStaged(one, Date.now() - stagedMs) })
}
