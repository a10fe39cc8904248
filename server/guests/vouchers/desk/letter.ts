import type { Db } from '@/db/client'
import { validUntil } from '@/model/guests/voucher'
import { shownCode } from '@/model/guests/voucher-code'
import { voucherLink } from '@/model/guests/voucher-print'
import type { NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { queueMail } from '@/server/mail/queue'
import { lastingText, readerLocale } from '../wording'
import { codeOf, type Found } from './shown'

/** Puts the letter with the code into the queue. */
export function sendMailTo(context: NetworkContext, tx: Db, { voucher, group }: Found, to: string): void {
  const { runtime, network, actor, now } = context
  const plain = codeOf(context, voucher) ?? fail('voucherNotFound')
  const locale = readerLocale(context)
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: network.timezone })
  const until = day.format(validUntil(voucher, group))
  queueMail(
    runtime,
    tx,
    {
      ...{ organization: actor.organization, to, locale, template: 'voucher' },
      values: {
        ...{ house: network.name, code: shownCode(plain), link: voucherLink(plain) },
        ...{ lasting: lastingText(group.seconds, locale), until },
      },
    },
    now,
  )
}
