// Puts so many letters, as many deliveries and some feedback into their outboxes and sends them, until it is killed. Prints
// the id of each once it is acknowledged, so that it may never be lost.
import { randomUUID } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { mails } from '@/db/schema'
import { readConfig } from '@/server/kernel/config'
import { type Runtime, startRuntime } from '@/server/kernel/runtime'
import { queueMail } from '@/server/mail/queue'
import { startMail } from '@/server/mail/start'
import { deliver, startFeedback } from '@/server/manager/feedback/deliver'
import { type Feedback, keep } from '@/server/manager/feedback/store'
import { webhookAlerts } from '@/server/notify/alerts/webhook-paused'
import { enqueue } from '@/server/notify/webhooks/queue'
import { startWebhooks } from '@/server/notify/webhooks/start'

const [data = '', webhook = '', most = ''] = process.argv.slice(2)
const say = (kind: string, id: string) => process.stdout.write(`${kind} ${id}\n`)

const together = 5

/** Five letters and five deliveries in one transaction. */
function queue(runtime: Runtime): void {
  const { db } = runtime
  const values = { account: 'ana', minutes: 60, link: 'https://nms.example.test/' }
  const mail = { organization: null, to: 'ana@example.test', locale: 'en', template: 'resetPassword', values } as const
  const events = Array.from({ length: together }, () => randomUUID())
  const letters = db.transaction(tx => {
    for (const event of events) {
      queueMail(runtime, tx, mail)
      const row = { webhook: Number(webhook), event, topic: 'alerts', type: 'alert.raised', network: 1 }
      enqueue(runtime, { ...row, body: JSON.stringify({ event }) }, Date.now())
    }
    return tx.select({ id: mails.message }).from(mails).orderBy(desc(mails.id)).limit(together).all()
  })
  for (const { id } of letters) say('mail', id)
  for (const id of events) say('hook', id)
}

function wish(runtime: Runtime): void {
  const about = { account: 'ana', name: 'Ana', role: 'guestEditor', version: '1', browser: '', reply: '', error: '' }
  const feedback: Feedback = { ...about, id: randomUUID(), at: Date.now(), kind: 'wish', text: 'More light' }
  keep(runtime, 1, feedback)
  say('feedback', feedback.id)
  void deliver(runtime, feedback)
}

const config = readConfig({ LANWARD_DATA: data, LANWARD_ROOT: process.cwd(), LANWARD_CONF: '/nonexistent' })
const runtime = await startRuntime(
  [made => startMail(made), made => startWebhooks(made, webhookAlerts), made => startFeedback(made)],
  config,
)
let n = 0
const next = (): void => {
  if (n >= Number(most)) return
  n += together
  queue(runtime)
  if (n % 25 === 0) wish(runtime)
  setTimeout(next, 1)
}
next()
setInterval(() => undefined, 1000)
