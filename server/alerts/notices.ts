import { createHmac } from 'node:crypto'
import * as z from 'zod'
import words from '@/locales/en/alerts.json'
import codeTexts from '@/locales/en/codes.json'
import { codes } from '@/model/codes'
import { email } from '@/model/email'
import { fail, isRefusal } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { getSetting, setSetting } from '@/server/kernel/settings'
import { oneLine } from '@/server/mail/render'
import { mailServerStored, readMailServer, saveMailServer } from '@/server/mail/server'
import { reasonOf, sendLetter } from '@/server/mail/transport'
import type { NewAlert } from './raise'

// Alerts leave the manager by one way that an administrator chose: a mail, or a signed POST to a URL.

/** Through the manager's mail server (server/mail). */
export const mailShape = z.strictObject({ to: z.array(email).min(1, 'required').max(20) })
export const webhookShape = z.strictObject({
  url: z.url({ protocol: /^https?$/, message: 'urlFormat' }).max(2048, 'tooLong'),
})
export const noticeShape = z.strictObject({
  mode: z.enum(['off', 'mail', 'webhook']).default('off'),
  /** Only alerts at least as grave: 5 emergency, 10 warning, 15 notice. */
  level: z.union([z.literal(5), z.literal(10), z.literal(15)]).default(15),
  mail: mailShape.optional(),
  webhook: webhookShape.optional(),
  webhookSecret: z.string().max(128, 'tooLong').default(''),
})
export type Notice = z.output<typeof noticeShape>

const place = 'settings:notices:sealed'
const timeLimitMs = 10_000
/** What comes within this time goes in one message: a site whose switch failed is one mail, not forty. */
export const gatherMs = 3_000
export const retryMs = [5_000, 30_000, 120_000, 600_000] as const
const linesInOne = 50

export function readNotice(runtime: Runtime): Notice {
  const { sealed } = getSetting(runtime.db, 'notices')
  return noticeShape.parse(sealed ? JSON.parse(runtime.secrets.open(sealed, place)) : {})
}
export const saveNotice = (runtime: Runtime, notice: Notice): void => {
  setSetting(runtime.db, 'notices', { sealed: runtime.secrets.seal(JSON.stringify(notice), place) })
}

const oldShape = z.object({ mail: z.object({ host: z.string() }), mailPassword: z.string().default('') })

/** Before there was one mail server for everything, alerts had their own: it becomes that one, unless that is set. */
export function moveMailServer(runtime: Runtime): void {
  const { sealed } = getSetting(runtime.db, 'notices')
  const stored = sealed ? JSON.parse(runtime.secrets.open(sealed, place)) : {}
  const old = oldShape.safeParse(stored)
  if (!old.success) return
  const { to, ...server } = stored.mail
  const moved = mailServerStored.safeParse({ ...server, password: old.data.mailPassword })
  const { mailPassword: _, ...rest } = stored
  const notice = noticeShape.safeParse({ ...rest, mail: { to } })
  runtime.db.transaction(() => {
    if (moved.success && !readMailServer(runtime)) saveMailServer(runtime, moved.data)
    saveNotice(runtime, notice.success ? notice.data : noticeShape.parse({}))
  })
}

export type Outgoing = NewAlert & { id: number; at: number }
const levels = { 5: words.levels.emergency, 10: words.levels.warning, 15: words.levels.notice } as const

const codeWords: Record<string, string> = codeTexts

/** An alert in English; values stand in {braces}, a code's name is told in its words. */
export function sentence(alert: Pick<NewAlert, 'type' | 'values'>): string {
  const text: string = words.types[alert.type] ?? alert.type
  const told = (value: string | number) => codeWords[String(codes[value as keyof typeof codes])] ?? String(value)
  return text.replace(/\{(\w+)\}/g, (_, name: string) => told(alert.values?.[name] ?? ''))
}

const lineOf = (alert: Outgoing) =>
  `${new Date(alert.at).toISOString()}  ${levels[alert.level]}: ${oneLine(sentence(alert))}`

async function sendMail(runtime: Runtime, notice: Notice, name: string, alerts: readonly Outgoing[]): Promise<void> {
  const server = readMailServer(runtime)
  if (!server) fail('mailNotSet')
  const [first] = alerts
  const more = alerts.length - linesInOne
  const what = alerts.length === 1 && first ? sentence(first) : `${alerts.length} ${words.many}`
  await sendLetter(server, {
    to: notice.mail?.to ?? [],
    subject: oneLine(`[${name}] ${what}`),
    text: [...alerts.slice(0, linesInOne).map(lineOf), ...(more > 0 ? [`+ ${more}`] : [])].join('\n'),
  })
}

/** `X-Lanward-Signature: sha256=…` is the HMAC of `<X-Lanward-Timestamp>.<body>` under the shared secret. */
async function sendWebhook(notice: Notice, name: string, alerts: readonly Outgoing[]): Promise<void> {
  const { webhook, webhookSecret } = notice
  if (!webhook) throw new Error('no URL is set')
  const body = JSON.stringify({
    manager: name,
    alerts: alerts.map(({ id, at, level, type, network, device, values }) => ({
      id,
      at,
      level,
      type,
      network: network ?? null,
      device: device ?? null,
      values: values ?? {},
      text: sentence({ type, values }),
    })),
  })
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', webhookSecret).update(`${timestamp}.${body}`).digest('hex')
  const answer = await fetch(webhook.url, {
    method: 'POST',
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeLimitMs),
    headers: {
      'content-type': 'application/json',
      'x-lanward-timestamp': timestamp,
      ...(webhookSecret && { 'x-lanward-signature': `sha256=${signature}` }),
    },
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
}

/** Sends by the chosen way; rejects with what went wrong, without secrets. */
export async function send(runtime: Runtime, notice: Notice, alerts: readonly Outgoing[]): Promise<void> {
  const { name } = getSetting(runtime.db, 'manager')
  if (notice.mode === 'mail') await sendMail(runtime, notice, name, alerts)
  if (notice.mode === 'webhook') await sendWebhook(notice, name, alerts)
}

/** In words without the secrets that a library may have put into its message. */
export const cause = (runtime: Runtime, error: unknown, notice: Notice): string =>
  isRefusal(error)
    ? (codeWords[String(error.retCode)] ?? error.code)
    : reasonOf(error, [readMailServer(runtime)?.password ?? '', notice.webhookSecret])
