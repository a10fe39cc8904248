import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { agentWords } from '@/model/agent-words'
import { email } from '@/model/email'
import {
  attachmentBytes,
  attachmentName,
  attachmentProblem,
  attachmentRefused,
  attachmentType,
  feedbackKinds,
} from '@/model/feedback'
import { limits } from '@/model/limits'
import packageJson from '@/package.json'
import { bodyBytes } from '@/server/kernel/body'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { saveOwn } from '@/server/kernel/own-settings'
import { withinRate } from '@/server/kernel/rate'
import { ownAccount } from '@/server/people/sign-in/attempts'
import { asFile, deliver, feedbackSettings, readFeedbackAddress, targetOf } from './deliver'
import { drop, type Feedback, keep, kept, stage, stagedOf, unstage } from './store'

const own = { tag: 'account', scope: 'organization', authority: 'session' } as const
const reading = { tag: 'account', scope: 'organization', authority: 'organization_manager', changes: false } as const
const changing = {
  tag: 'account',
  scope: 'organization',
  authority: 'organization_manager_edit',
  changes: true,
  topics: ['feedback'],
  changelog: 'entry',
  send: 'once',
} as const

const hourMs = 3_600_000

const info = call({
  ...own,
  path: 'feedback/info',
  changes: false,
  input: z.strictObject({}),
  /** `to`: the address it goes to by mail; '' while it stays here, and `why`. */
  run({ runtime, actor }) {
    const target = targetOf(runtime)
    const reply = ownAccount({ runtime, actor }).email ?? ''
    return 'to' in target ? { to: target.to, why: null, reply } : { to: '', why: target.why, reply }
  },
})

const attach = call({
  ...own,
  path: 'feedback/attach',
  topics: ['feedback'],
  changes: true,
  body: 'stream',
  changelog: 'elsewhere',
  send: 'each',
  // A little more than an attachment may have, so that it is refused at its field.
  uploadBytes: attachmentBytes + 1024 * 1024,
  input: z.strictObject({ name: z.string().min(1, 'required').max(limits.textCharacters, 'tooLong') }),
  /** Rule P12: keeps one file for the feedback that follows, in place of one that was sent before; {id, name, size}. */
  async run({ runtime, request, actor, now }, input) {
    const name = attachmentName(input.name)
    const wrong = attachmentRefused(name, Number(request.headers.get('content-length') ?? 1))
    if (wrong) failFields({ attachment: wrong })
    if (!withinRate(runtime, `attachments of ${actor.id}`, limits.feedbackPerHour, hourMs, now))
      fail('rateLimited', { minutes: 60 })
    const bytes = await bodyBytes(request, attachmentBytes, () => failFields({ attachment: 'attachmentTooLarge' }))
    const problem = attachmentProblem(name, bytes)
    if (problem) failFields({ attachment: problem })
    const file = { name, type: attachmentType(name) ?? '' }
    return (await stage(runtime, actor.id, file, bytes)) ?? fail('feedbackFull')
  },
})

const detach = call({
  ...own,
  path: 'feedback/detach',
  topics: ['feedback'],
  changes: true,
  changelog: 'own',
  send: 'each',
  input: z.strictObject({}),
  run({ runtime, actor }) {
    unstage(runtime, actor.id)
    return {}
  },
})

const text = z
  .string()
  .trim()
  .min(1, 'required')
  .max(limits.feedbackCharacters, 'tooLong')
  .transform(value => value.replace(/\r\n?/g, '\n'))
  .pipe(z.string().regex(/^(?:[^\p{Cs}\p{Cc}]|[\n\t])*$/u, 'controlCharacters'))

const sendInput = z.strictObject({
  kind: z.enum(feedbackKinds),
  text,
  reply: z.union([z.literal(''), email]).default(''),
  attachment: z.uuid('invalidFormat').optional(),
})

/** What is written down, before anything is sent: a letter that does not get through is not lost. */
function written(context: OrganizationContext, { attachment: id, ...input }: z.output<typeof sendInput>): Feedback {
  const { runtime, actor, request, now } = context
  if (kept(runtime).length >= limits.feedbackKept) fail('feedbackFull')
  if (!withinRate(runtime, `feedback of ${actor.id}`, limits.feedbackPerHour, hourMs, now))
    fail('rateLimited', { minutes: 60 })
  const attachment = id === undefined ? undefined : stagedOf(runtime, actor.id, id)
  if (id !== undefined && !attachment) failFields({ attachment: 'attachmentGone' })
  const account = ownAccount(context)
  const { browser, system } = agentWords(request.headers.get('user-agent') ?? '')
  const feedback: Feedback = {
    ...{ ...input, id: randomUUID(), at: now, account: account.account, name: account.username, role: account.role },
    ...{ version: packageJson.version, browser: [browser, system].filter(Boolean).join(', '), attachment, error: '' },
  }
  keep(runtime, actor.id, feedback)
  return feedback
}

const send = call({
  ...own,
  path: 'feedback/send',
  topics: ['feedback'],
  changes: true,
  changelog: 'entry',
  send: 'each',
  seconds: 60,
  input: sendInput,
  /** {state: 'sent', to}, or {state: 'kept', why, detail}: then it stays here and is tried again. */
  async run(context, input) {
    const feedback = written(context, input)
    context.log({ action: 'send', object: 'feedback', name: '' })
    return deliver(context.runtime, feedback)
  },
})

const list = call({
  ...reading,
  path: 'feedback/list',
  input: z.strictObject(listInput),
  /** What is kept here, the newest first, and the address that was set. */
  run: ({ runtime }, input) => ({
    ...listed(kept(runtime), input, {
      text: one => [one.name, one.text, one.attachment?.name],
      sort: { what: one => one.text, who: one => one.name, error: one => one.error, at: one => one.at },
    }),
    address: readFeedbackAddress(runtime.db),
  }),
})

const one = z.strictObject({ id: z.uuid('invalidFormat') })
const find = ({ runtime }: OrganizationContext, id: string): Feedback =>
  kept(runtime).find(feedback => feedback.id === id) ?? fail('feedbackNotFound')

const download = call({
  ...reading,
  path: 'feedback/download',
  get: true,
  input: one,
  /** As a letter (.eml), its attachment inside. */
  async run(context, { id }) {
    const feedback = find(context, id)
    const day = new Date(feedback.at).toISOString().slice(0, 10)
    return new Response(new Uint8Array(await asFile(context.runtime, feedback)), {
      headers: {
        'content-type': 'message/rfc822',
        'content-disposition': `attachment; filename="feedback-${day}-${id.slice(0, 8)}.eml"`,
        'cache-control': 'no-store',
      },
    })
  },
})

const remove = call({
  ...changing,
  path: 'feedback/delete',
  input: one,
  run(context, { id }) {
    const feedback = find(context, id)
    drop(context.runtime, id)
    context.log({ action: 'delete', object: 'feedback', name: feedback.account })
    return {}
  },
})

const save = call({
  ...changing,
  path: 'feedback/save',
  input: z.strictObject({ address: z.union([z.literal(''), email]) }),
  /** Where feedback goes by mail; '' keeps it here. What waits is sent there at once. */
  run(context, fields) {
    saveOwn(context, feedbackSettings, { fields, lenient: true })
    return {}
  },
})

export const feedbackCalls = [info, attach, detach, send, list, download, remove, save] as const
