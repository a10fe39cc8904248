import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { alerts, devices } from '@/db/schema'
import words from '@/locales/en/alertTypes.json'
import { limits } from '@/model/limits'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, orderBy, pageOf } from '@/server/kernel/lists'
import { judgeOwn, saveOwn } from '@/server/kernel/own-settings'
import { withinRate } from '@/server/kernel/rate'
import { lastMail } from '@/server/mail/last'
import { readMailServer } from '@/server/mail/server'
import { isHostOrganization } from '@/server/people/accounts/actor'
import {
  cause,
  causeOfMail,
  lastFailure,
  type Notice,
  noticeFields,
  noticeOf,
  noticeSettings,
  noticeShape,
  readNotices,
  sendTest,
} from './notices'
import { alertRows, countOf, ownCause, unreadCount, visible } from './rows'

const reading = { tag: 'alerts', scope: 'network', authority: 'alerts', changes: false } as const
const editing = {
  tag: 'alerts',
  scope: 'network',
  authority: 'alerts_edit',
  changes: true,
  topics: ['alerts'],
  changelog: 'entry',
  send: 'once',
} as const
const level = z.union([z.literal(5), z.literal(10), z.literal(15)])

/** Devices that a list is narrowed to by choosing; the search finds any. */
const mostDevices = 100

/** By columns of their page. */
const sortColumns = { level: alerts.level, device: devices.name, state: alerts.read, at: alerts.id, what: alerts.type }

/** In the device's name, in what the alert names, and in its words. */
function matching(search: string): SQL | undefined {
  const wanted = search.trim().toLowerCase()
  const said = (text: string) => text.replace(/\{\w+\}/g, '').toLowerCase()
  const types = Object.entries(words.types).flatMap(([type, text]) => (said(text).includes(wanted) ? type : []))
  return or(
    sql`instr(lower(${devices.name}), ${wanted})`,
    sql`EXISTS (SELECT 1 FROM json_each(${alerts.values}) WHERE instr(lower(json_each.value), ${wanted}))`,
    inArray(alerts.type, types),
  )
}

const list = call({
  ...reading,
  path: 'alerts/list',
  input: z.strictObject({
    page: listInput.page,
    pageSize: listInput.pageSize,
    search: listInput.search,
    sort: listInput.sort,
    filter: z
      .strictObject({ level: level.optional(), read: z.boolean().optional(), deviceId: z.int().optional() })
      .optional(),
  }),
  /** What is behind another is left out unless searched for or asked of one device. Newest first unless sorted by `level`, `device`, `state` (unread first) or `at`; {result: AlertRow[], total, page, pageSize, unread}. */
  run(context, { page, pageSize, search, sort, filter = {} }) {
    const named = search?.trim() || filter.deviceId !== undefined
    const where = and(
      named ? undefined : ownCause,
      search?.trim() ? matching(search) : undefined,
      filter.level === undefined ? undefined : eq(alerts.level, filter.level),
      filter.read === undefined ? undefined : eq(alerts.read, filter.read),
      filter.deviceId === undefined ? undefined : eq(alerts.device, filter.deviceId),
    )
    const total = countOf(context, where)
    const at = pageOf(total, page, pageSize)
    const order = orderBy(sort, sortColumns, desc(alerts.id))
    const result = alertRows(context, where, pageSize, { offset: at.offset, order })
    return { result, total, page: at.page, pageSize, unread: unreadCount(context) }
  },
})

const apList = call({
  ...reading,
  path: 'alerts/ap-list',
  input: z.strictObject({}),
  /** The devices that alerts of the list are about, those with the most first (100), and how many alerts each has. */
  run(context) {
    const n = sql<number>`count(*)`
    const result = context.runtime.db
      .select({ id: devices.id, name: devices.name, alerts: n })
      .from(alerts)
      .innerJoin(devices, eq(devices.id, alerts.device))
      .where(visible(context))
      .groupBy(devices.id)
      .orderBy(desc(n), devices.name)
      .limit(mostDevices)
      .all()
    return { result }
  },
})

const unread = call({
  ...reading,
  path: 'alerts/unread',
  input: z.strictObject({}),
  /** The red dot. */
  run(context) {
    const unread = unreadCount(context)
    return { unread: unread > 0, count: unread }
  },
})

const some = z.strictObject({
  ids: z.array(z.int()).min(1, 'required').max(10_000).optional(),
  all: z.boolean().optional(),
})

/** The alerts meant: named ones, which must all be visible, with what is behind them; or all. */
function meant(context: NetworkContext, input: z.output<typeof some>): SQL | undefined {
  if (!input.ids && !input.all) failFields({ ids: 'required' })
  if (!input.ids) return visible(context)
  const named = inArray(alerts.id, input.ids)
  if (countOf(context, named) !== new Set(input.ids).size) fail('alertNotFound')
  return and(visible(context), or(named, inArray(alerts.parent, input.ids)))
}

function tell({ runtime, actor, network }: NetworkContext): void {
  runtime.bus.emit({ topic: 'alerts', organization: actor.organization, network: network.id })
}

const read = call({
  ...editing,
  path: 'alerts/read',
  changelog: 'own',
  send: 'each',
  input: some,
  run(context, input) {
    const done = context.runtime.db.update(alerts).set({ read: true }).where(meant(context, input)).run()
    tell(context)
    return { changed: done.changes }
  },
})

const remove = call({
  ...editing,
  path: 'alerts/delete',
  input: some,
  run(context, input) {
    const deleted = context.runtime.db.transaction(() => {
      const done = context.runtime.db.delete(alerts).where(meant(context, input)).run()
      context.log({ action: 'delete', object: 'alerts', name: String(done.changes) })
      return done.changes
    })
    tell(context)
    return { deleted }
  },
})

const deleteAll = call({
  ...editing,
  path: 'alerts/delete-all',
  get: true,
  input: z.strictObject({}),
  /** Also as GET (specification), which needs the same-origin header like any change. */
  run(context) {
    const deleted = context.runtime.db.transaction(() => {
      const done = context.runtime.db.delete(alerts).where(visible(context)).run()
      context.log({ action: 'delete', object: 'alerts', name: 'all' })
      return done.changes
    })
    tell(context)
    return { deleted }
  },
})

const noticeQuery = call({
  scope: 'organization',
  authority: 'organization_notices',
  changes: false,
  path: 'alerts/notice/query',
  tag: 'alerts',
  input: z.strictObject({}),
  /**
   * How the organization's alerts are sent by mail; `last`: how the manager's last letter fared, or to whom one of the
   * organization did not arrive.
   */
  run: ({ runtime, actor: { organization } }) => ({
    ...noticeOf(readNotices(runtime.db, organization)),
    /** Whether there is a mail server to send them. */
    mailServer: readMailServer(runtime) !== undefined,
    last: isHostOrganization(runtime.db, organization)
      ? (lastMail.read(runtime.db).last ?? null)
      : lastFailure(runtime.db, organization),
  }),
})

const noticeInput = noticeShape.extend({ mode: z.enum(['off', 'mail']) })

/** Where there is nobody to send to, as the older calls say it. */
function fieldsOf(notice: Notice) {
  if (notice.mode === 'mail' && !notice.mail) failFields({ mail: 'required' })
  return { fields: noticeFields(notice), lenient: true }
}

const noticeSave = call({
  scope: 'organization',
  authority: 'organization_notices_edit',
  changes: true,
  path: 'alerts/notice/save',
  topics: ['alerts'],
  tag: 'alerts',
  changelog: 'entry',
  send: 'once',
  input: noticeInput,
  run: (context, input) => noticeOf(saveOwn(context, noticeSettings, fieldsOf(input)).values),
})

const noticeTest = call({
  scope: 'organization',
  authority: 'organization_notices_edit',
  changes: true,
  path: 'alerts/notice/test',
  topics: ['alerts'],
  tag: 'alerts',
  changelog: 'looks',
  send: 'each',
  input: noticeInput.extend({ mode: z.literal('mail') }),
  /** Sends one letter now by these settings, without saving them; `detail` says what went wrong. */
  async run(context, input) {
    const { runtime, actor, now } = context
    const { most, minutes } = limits.noticeTests
    const { to = [] } = judgeOwn(context, noticeSettings, fieldsOf(input)).next
    const key = `notice tests of ${actor.organization}`
    if (!withinRate(runtime, key, most, minutes * 60_000, now)) fail('rateLimited', { minutes })
    const told = isHostOrganization(runtime.db, actor.organization) ? cause : causeOfMail
    await sendTest(runtime, to).catch(error => fail('mailFailed', { detail: told(runtime, error) }))
    return {}
  },
})

export const alertCalls = [list, apList, unread, read, remove, deleteAll, noticeQuery, noticeSave, noticeTest] as const
