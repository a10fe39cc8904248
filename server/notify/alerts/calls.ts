import { and, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { alerts, devices } from '@/db/schema'
import words from '@/locales/en/alertTypes.json'
import { limits } from '@/model/limits'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, pageOf } from '@/server/kernel/lists'
import { judgeOwn, saveOwn } from '@/server/kernel/own-settings'
import { withinRate } from '@/server/kernel/rate'
import { lastLetter } from '@/server/mail/last'
import { readMailServer } from '@/server/mail/server'
import { isHostOrganization } from '@/server/people/accounts/actor'
import type { AlertLevel, AlertType } from './alert'
import {
  cause,
  causeOfLetter,
  lastFailure,
  type Notice,
  noticeFields,
  noticeOf,
  noticeSettings,
  noticeShape,
  readNotices,
  sendTest,
} from './notices'

const reading = { tag: 'alerts', scope: 'network', authority: 'alerts', changes: false } as const
const editing = {
  tag: 'alerts',
  scope: 'network',
  authority: 'alerts_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
} as const
const level = z.union([z.literal(5), z.literal(10), z.literal(15)])

/** The network's alerts, and those of the manager itself for whoever looks after it. */
function visible({ actor, network }: NetworkContext): SQL | undefined {
  const own = eq(alerts.network, network.id)
  const seen = actor.authorities.has('organization_manager') ? or(own, isNull(alerts.network)) : own
  return and(eq(alerts.organization, actor.organization), seen)
}

export type AlertRow = {
  id: number
  /** Unix ms. */
  at: number
  level: AlertLevel
  /** Key of alerts.json types; `values` go into its words. */
  type: AlertType
  values: Record<string, string | number>
  read: boolean
  recoveredAt: number | null
  device: { id: number; name: string } | null
}

export function alertRows(context: NetworkContext, where: SQL | undefined, limit: number, offset = 0): AlertRow[] {
  const rows = context.runtime.db
    .select({ alert: alerts, deviceName: devices.name })
    .from(alerts)
    .leftJoin(devices, eq(devices.id, alerts.device))
    .where(and(visible(context), where))
    .orderBy(desc(alerts.id))
    .limit(limit)
    .offset(offset)
    .all()
  return rows.map(({ alert, deviceName }) => ({
    id: alert.id,
    at: alert.at,
    level: alert.level as AlertLevel,
    type: alert.type as AlertType,
    values: JSON.parse(alert.values) as Record<string, string | number>,
    read: alert.read,
    recoveredAt: alert.recoveredAt,
    device: alert.device !== null && deviceName !== null ? { id: alert.device, name: deviceName } : null,
  }))
}

const countOf = (context: NetworkContext, where?: SQL): number =>
  context.runtime.db
    .select({ n: count() })
    .from(alerts)
    .leftJoin(devices, eq(devices.id, alerts.device))
    .where(and(visible(context), where))
    .get()?.n ?? 0

/** How many are unread, by level. */
export function unreadCounts(context: NetworkContext) {
  const of = (value: AlertLevel) => countOf(context, and(eq(alerts.read, false), eq(alerts.level, value)))
  return { emergency: of(5), warning: of(10), notice: of(15) }
}

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
    filter: z
      .strictObject({ level: level.optional(), read: z.boolean().optional(), deviceId: z.int().optional() })
      .optional(),
  }),
  /** Newest first; {result: AlertRow[], total, page, pageSize, unread}. */
  run(context, { page, pageSize, search, filter = {} }) {
    const where = and(
      search?.trim() ? matching(search) : undefined,
      filter.level === undefined ? undefined : eq(alerts.level, filter.level),
      filter.read === undefined ? undefined : eq(alerts.read, filter.read),
      filter.deviceId === undefined ? undefined : eq(alerts.device, filter.deviceId),
    )
    const total = countOf(context, where)
    const at = pageOf(total, page, pageSize)
    const result = alertRows(context, where, pageSize, at.offset)
    return { result, total, page: at.page, pageSize, unread: countOf(context, eq(alerts.read, false)) }
  },
})

const unread = call({
  ...reading,
  path: 'alerts/unread',
  input: z.strictObject({}),
  /** The red dot. */
  run(context) {
    const unreadCount = countOf(context, eq(alerts.read, false))
    return { unread: unreadCount > 0, count: unreadCount }
  },
})

const some = z.strictObject({
  ids: z.array(z.int()).min(1, 'required').max(10_000).optional(),
  all: z.boolean().optional(),
})

/** The alerts meant: named ones, which must all be visible, or all. */
function meant(context: NetworkContext, input: z.output<typeof some>): SQL | undefined {
  if (!input.ids && !input.all) failFields({ ids: 'required' })
  if (!input.ids) return visible(context)
  const named = inArray(alerts.id, input.ids)
  if (countOf(context, named) !== new Set(input.ids).size) fail('alertNotFound')
  return and(visible(context), named)
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
      ? (lastLetter.read(runtime.db).last ?? null)
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
    const told = isHostOrganization(runtime.db, actor.organization) ? cause : causeOfLetter
    await sendTest(runtime, to).catch(error => fail('mailFailed', { detail: told(runtime, error) }))
    return {}
  },
})

export const alertCalls = [list, unread, read, remove, deleteAll, noticeQuery, noticeSave, noticeTest] as const
