import type { Data } from '@/model/kind'
import { type MailServer, mailServer } from '@/model/mail/server'
import { type OwnSettings, readOwn } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { takeSetting } from '@/server/kernel/settings'
import { lastMail } from './last'
import { wakeMail } from './queue'

/** The mail server. What waits stays when it is removed, until another is set or its time is over. */
export const mailSettings: OwnSettings<MailServer> = {
  kind: mailServer,
  applied(runtime) {
    lastMail.change(runtime.db, { last: undefined })
    runtime.bus.emit({ topic: 'mail' })
    // What waits need not wait for its next try.
    setImmediate(() => wakeMail(runtime, true))
  },
  former({ db, secrets }) {
    const { sealed } = takeSetting(db, 'mail', ['sealed'])
    return sealed ? [{ values: JSON.parse(secrets.open(String(sealed), 'settings:mail:sealed')) as Data }] : []
  },
}

/** The mail server that is set, or undefined. */
export const readMailServer = (runtime: Runtime): MailServer | undefined => readOwn(runtime.db, mailServer, runtime)

/** Whether letters with links can be sent: a server is set, and the address that links begin with. */
export const mailReady = (runtime: Runtime): boolean => !!readMailServer(runtime)?.publicUrl

/**
 * A link for a letter. It begins with the address that was set, never with what a request said; the token stands behind
 * `#`, so that it is in no log and no Referer.
 */
export const publicLink = (runtime: Runtime, path: `/${string}`, token = ''): string =>
  `${readMailServer(runtime)?.publicUrl ?? ''}${path}${token && `#${token}`}`
