import { mails } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const mailBelongings: readonly Belonging[] = [
  {
    table: mails,
    organization: { of: mails.organization, deleted: 'cascades' },
    // What waited then was sent.
    restored: db => void db.delete(mails).run(),
  },
]
