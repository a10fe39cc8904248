import type { NoticeTarget } from '@/model/notify/target'
import { readGeneral } from '@/server/kernel/general'
import type { Runtime } from '@/server/kernel/runtime'
import { render } from '@/server/mail/render'
import { readMailServer } from '@/server/mail/server'
import { handOver } from '@/server/mail/transport'
import { causeOfMail } from '@/server/notify/alerts/notices'
import type { Message, Told } from './chat'
import { linesOf } from './compose'

/** More lines than a message names. */
const letterBytes = 64 * 1024

/**
 * One letter to all who are told there, by the manager's mail server. One that took it for some alone is not asked again:
 * they would have it twice. Resolves however it ends.
 */
export async function tellMail(runtime: Runtime, { to = [] }: NoticeTarget, { id, notice }: Message): Promise<Told> {
  const server = readMailServer(runtime)
  if (!server) return { code: 0, error: 'mailNotSet', answer: '' }
  const { name, language } = readGeneral(runtime.db)
  const lines = linesOf(notice, { bytes: letterBytes }).split('\n')
  try {
    const letter = await render('alerts', language, { manager: name, what: notice.what, lines })
    const { refused } = await handOver(server, { to, message: id, ...letter })
    if (refused.length === 0) return { code: 0, error: '', answer: '' }
    return { code: 0, error: 'someReceivers', answer: refused.join(', '), last: true }
  } catch (error) {
    return { code: 0, error: 'mailNotTaken', answer: causeOfMail(runtime, error) }
  }
}
