import type { Db } from '@/db/client'
import { agentWords } from '@/model/agent-words'
import type { BaseContext } from '@/server/kernel/call'
import { readGeneral } from '@/server/kernel/general'
import { withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { queueMail } from '@/server/mail/queue'
import type { MailTemplate, MailValues } from '@/server/mail/render'
import { mailReady } from '@/server/mail/server'
import { isKnown } from './known-browser'
import type { Account } from './mfa'

type Owner = Pick<Account, 'organization' | 'account' | 'email' | 'locale'>
type Notice = { template: MailTemplate; values?: MailValues }

/**
 * A mail to an account's owner about what became of it, who did it or not; `{account}` is always known. That no mail
 * server is set, or no more letters can wait, undoes nothing.
 */
export function notifyOwner(runtime: Runtime, tx: Db, owner: Owner, { template, values = {} }: Notice): void {
  if (!owner.email || !mailReady(runtime)) return
  try {
    queueMail(runtime, tx, {
      organization: owner.organization,
      to: owner.email,
      locale: owner.locale ?? readGeneral(tx).language,
      template,
      values: { ...values, account: owner.account },
    })
  } catch (error) {
    console.error('a mail to an account:', error)
  }
}

const perHour = 5
const hourMs = 3_600_000

/** Tells of a sign-in by a browser that this account never used; of its first one of all there is nothing to tell. */
export function notifyNewBrowser(context: BaseContext, account: Account): void {
  const { runtime, now, address } = context
  if (account.lastSignInAt === null || isKnown(context, account)) return
  if (!withinRate(runtime, `new browsers of ${account.id}`, perHour, hourMs, now)) return
  const { browser, system } = agentWords(context.request.headers.get('user-agent') ?? '')
  const { timezone, language } = readGeneral(runtime.db)
  const time = new Intl.DateTimeFormat(account.locale ?? language, {
    ...{ dateStyle: 'medium', timeStyle: 'long' },
    timeZone: account.timezone ?? timezone,
  }).format(now)
  const agent = [browser, system].filter(Boolean).join(', ') || '?'
  notifyOwner(runtime, runtime.db, account, { template: 'newBrowser', values: { address, agent, time } })
}
