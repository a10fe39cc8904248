import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { changelog } from '@/db/schema'
import { limits } from '@/model/limits'
import { syslog } from '@/model/manager/syslog'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listInput } from '@/server/kernel/lists'
import { olderInput } from '@/server/kernel/own-fields'
import { saveOwn } from '@/server/kernel/own-settings'
import { exportLog } from './export'
import { logChoices, logPage, matching, viewer, visibleTo } from './query'
import { type LogRow, type Own, referredNames, revertEntry, viewRevert } from './revert'
import { readSyslog, syslogSettings, syslogState } from './syslog'

const reading = {
  tag: 'changelog',
  scope: 'organization',
  authority: 'organization_changelog',
  changes: false,
} as const

const word = z.string().min(1).max(limits.textCharacters).optional()
const filter = { account: word, object: word, action: word }
const moment = z.int().min(0)

const list = call({
  ...reading,
  path: 'changelog/list',
  input: z.strictObject({
    page: listInput.page,
    pageSize: listInput.pageSize,
    search: listInput.search,
    sort: listInput.sort,
    filter: z
      .strictObject({ ...filter, network: z.int().optional(), from: moment.optional(), to: moment.optional() })
      .optional(),
  }),
  /** Newest first unless sorted by `at`, `what`, `who`, `address` or `network`; {result: LogView[], total, page, pageSize}. */
  run({ runtime: { db }, actor }, { page, pageSize, search, sort, filter = {} }) {
    const { rows, ...at } = logPage(db, matching(actor, filter, search), { page, pageSize, sort })
    return { result: rows.map(viewer(db, actor)), ...at }
  },
})

const choices = call({
  ...reading,
  path: 'changelog/options',
  input: z.strictObject({}),
  /** {accounts, objects, actions, networks}: what there is to filter by. */
  run: ({ runtime, actor }) => logChoices(runtime, actor),
})

const entryInput = z.strictObject({ id: z.int().positive() })

const entryOf = ({ runtime: { db }, actor }: OrganizationContext, id: number): LogRow =>
  db
    .select()
    .from(changelog)
    .where(and(visibleTo(actor), eq(changelog.id, id)))
    .get() ?? fail('logEntryNotFound')

const get = call({
  ...reading,
  path: 'changelog/get',
  input: entryInput,
  /** One entry, the names of what it refers to, and what undoing it would do. */
  async run(context, { id }) {
    const { db } = context.runtime
    const entry = entryOf(context, id)
    const [names, revert] = await Promise.all([referredNames(db, entry), viewRevert(context, entry)])
    return { ...viewer(db, context.actor)(entry), names, revert }
  },
})

const revertBy = (own: Own) =>
  call({
    scope: 'organization',
    authority: 'organization_changelog_edit',
    changes: true,
    path: 'changelog/revert',
    topics: ['settings', 'changelog'],
    tag: 'changelog',
    changelog: 'entry',
    send: 'each',
    input: entryInput,
    async run(context, { id }) {
      await revertEntry(context, entryOf(context, id), own)
      return {}
    },
  })

const syslogGet = call({
  scope: 'organization',
  authority: 'organization_manager',
  changes: false,
  path: 'changelog/syslog/get',
  tag: 'changelog',
  input: z.strictObject({}),
  /** The log server, and how the last delivery to it went. */
  run({ runtime: { db } }) {
    const { protocol, host = '', port } = readSyslog(db)
    return { protocol, host, port, last: syslogState.read(db).last ?? null }
  },
})

const syslogSave = call({
  scope: 'organization',
  authority: 'organization_manager_edit',
  changes: true,
  path: 'changelog/syslog/save',
  topics: ['changelog'],
  tag: 'changelog',
  changelog: 'entry',
  send: 'once',
  input: olderInput(syslog),
  run(context, fields) {
    saveOwn(context, syslogSettings, { fields, lenient: true })
    return {}
  },
})

const number = z.coerce.number().pipe(z.int()).optional()

const download = call({
  ...reading,
  path: 'exports/log',
  get: true,
  exports: true,
  seconds: 'unlimited',
  /** As the list's filter says it, one value each. */
  input: z.strictObject({
    format: z.enum(['csv', 'json']).default('csv'),
    search: z.string().max(limits.textCharacters).optional(),
    ...filter,
    network: number,
    from: number,
    to: number,
  }),
  /** A file of all entries that match; cells that a spreadsheet would run are defused. */
  run: ({ runtime, actor }, { format, search, ...given }) =>
    exportLog(runtime, matching(actor, given, search), viewer(runtime.db, actor), format),
})

/** `own`: how settings of the manager and of organizations are saved, which stand above this. */
export const changelogCalls = (own: Own) =>
  [list, choices, get, revertBy(own), download, syslogGet, syslogSave] as const
