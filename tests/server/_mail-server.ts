import { type MailServer, mailServer } from '@/model/mail/server'
import { storeOwn } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { mailSettings } from '@/server/mail/server'

/** Sets a mail server as it is, or none; what is '' is not set. */
export function saveMailServer(runtime: Runtime, server: Partial<MailServer> | undefined): void {
  const values = server && (Object.fromEntries(Object.entries(server).filter(([, one]) => one !== '')) as MailServer)
  storeOwn({ runtime, actor: { organization: 1, account: '' }, now: Date.now() }, runtime.db, mailServer, values)
  mailSettings.applied?.(runtime)
}
