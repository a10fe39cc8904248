import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { requirePrivate } from '@/server/kernel/fail'
import { exclusively, restartSoon, restoreFrom } from '@/server/manager/backups/service'
import { backupFolder } from '@/server/manager/backups/storage'
import { archivePath } from '@/server/manager/backups/store'
import { takeUpload, uploadedBytes } from '@/server/manager/backups/upload'
import { requireWizard } from './access'

// A new machine takes over from one that is gone: in place of the setup, a backup of the former one.

const open = { tag: 'setup', authority: 'open', scope: 'none', changes: true, unheard: 'leaves' } as const

const upload = call({
  ...open,
  path: 'wizard/restore/upload',
  send: 'once',
  body: 'stream',
  uploadBytes: uploadedBytes,
  input: z.strictObject({}),
  /** Checks the file and keeps it as a backup; what it holds, and whether a passphrase opens it. */
  run(context) {
    requireWizard(context)
    return takeUpload(context.runtime, context.request)
  },
})

const restore = call({
  ...open,
  path: 'wizard/restore',
  send: 'once',
  seconds: 'unlimited',
  input: z.strictObject({
    name: z.string().regex(/^[\w.-]{1,100}$/, 'notFound'),
    passphrase: z.string().min(8, 'tooShort').max(128, 'tooLong').optional(),
  }),
  /** The manager starts again on what was restored: its people sign in as they did. */
  async run(context, { name, passphrase }) {
    requireWizard(context)
    requirePrivate(context)
    const { runtime, address, now } = context
    const file = archivePath(backupFolder(runtime), name)
    const by = { account: '', address, organization: null }
    const { createdAt, version } = await exclusively(runtime, () => restoreFrom(runtime, file, by, now, passphrase))
    restartSoon()
    return { createdAt, version, restarting: true }
  },
})

export const wizardRestoreCalls = [upload, restore] as const
