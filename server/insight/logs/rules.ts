import { and, eq, isNull, sql } from 'drizzle-orm'
import { alerts, devices, documents } from '@/db/schema'
import type { Assign } from '@/model/assign'
import { type LogRule, logRule } from '@/model/insight/log-rule'
import { isAssigned } from '@/server/devices/change/plan/assigned'
import { openedRows } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { networkGroups, pathOf } from '@/server/networks/groups/groups'
import { assignsOf } from '@/server/networks/settings/store'
import { endQuietly } from '@/server/notify/alerts/open'
import { deviceTrouble, recoverAlerts } from '@/server/notify/alerts/raise'
import type { RuleNews, ToldRule } from '@/server/worker/intake/log-rules'

// Rules that make alerts of lines: what the thread is told of them, and what becomes of what it says.

type Rule = Omit<ToldRule, 'open'>

/** Devices that are meant; undefined: all of the network. */
export function devicesMeant({ db }: Runtime, network: number, assign: Assign): number[] | undefined {
  if (assign.all) return undefined
  const groups = networkGroups(db, network)
  const { id, group } = devices
  return db
    .select({ id, group })
    .from(devices)
    .where(eq(devices.network, network))
    .orderBy(id)
    .all()
    .flatMap(one => (isAssigned(assign, one.id, pathOf(groups, one.group)) ? one.id : []))
}

const ruleRows = ({ db }: Runtime) => db.select().from(documents).where(eq(documents.kind, logRule.id)).all()

/** Of all networks; without those that are off, or damaged. */
export function rulesNow(runtime: Runtime): Rule[] {
  const opened = openedRows(runtime.secrets, logRule, ruleRows(runtime))
  const assigns = assignsOf(
    runtime.db,
    opened.map(({ row }) => row.id),
  )
  return opened.flatMap(({ row, data }) => {
    const { enabled, text, severity, facility, count, minutes = 1, quietMinutes } = data as LogRule
    if (!enabled) return []
    const terms = { ...(text !== undefined && { text }), severity, facility, count, minutes, quietMinutes }
    const meant = devicesMeant(runtime, row.scopeId, assigns.get(row.id) as Assign)
    return [{ id: row.id, network: row.scopeId, terms, ...(meant && { devices: meant }) }]
  })
}

const isOpen = and(eq(alerts.type, 'logRule'), isNull(alerts.recoveredAt))

const ruleIn = sql<string>`json_extract(${alerts.values}, '$.rule')`

const deviceOf = ({ db }: Runtime, id: number) => {
  const { organization, network, name } = devices
  return db.select({ id: devices.id, organization, network, name }).from(devices).where(eq(devices.id, id)).get()
}

/** Alerts that are open, and whose rule is there and about their device; all others end, and nobody is told of that. */
export function openAlerts(runtime: Runtime, rules: readonly Rule[]): Map<string, number[]> {
  endQuietly(runtime.db, 'logRule', isNull(alerts.device))
  const rows = runtime.db.select({ device: alerts.device, rule: ruleIn }).from(alerts).where(isOpen).all()
  const open = new Map<string, number[]>()
  for (const row of rows) {
    const own = rules.find(one => one.id === row.rule)
    const device = row.device === null ? undefined : deviceOf(runtime, row.device)
    const isAbout = own && device?.network === own.network && own.devices?.includes(device.id) !== false
    if (isAbout) open.set(own.id, [...(open.get(own.id) ?? []), device.id])
    else if (device)
      recoverAlerts(runtime, device, 'logRule', { values: { rule: row.rule }, same: 'rule', silent: true })
  }
  return open
}

/** Raises and ends alerts as the thread says. One that cannot be stored now, as on a full disk, ends nothing else. */
export function onRuleNews(runtime: Runtime, news: RuleNews): void {
  try {
    take(runtime, news)
  } catch (error) {
    console.error('logs: an alert of a rule:', error instanceof Error ? error.message : error)
  }
}

/** What is said of a rule that is gone meanwhile, or off, is nothing any more. */
function take(runtime: Runtime, { rule: id, device: deviceId, ...news }: RuleNews): void {
  const row = runtime.db.select().from(documents).where(eq(documents.id, id)).get()
  const [found] = openedRows(runtime.secrets, logRule, row ? [row] : [])
  const device = deviceOf(runtime, deviceId)
  if (!device && 'overAt' in news) endQuietly(runtime.db, 'logRule', and(isNull(alerts.device), eq(ruleIn, id)))
  if (!found || !device) return
  const { name, message, level, enabled, text, severity, facility } = found.data as LogRule
  const values = { rule: id, name }
  if ('overAt' in news) {
    recoverAlerts(runtime, device, 'logRule', { values, at: news.overAt, same: 'rule' })
    return
  }
  if (!enabled || device.network !== found.row.scopeId) return
  const { from, at } = news.reached
  const look = { ...(text !== undefined && { text }), severity, facility }
  deviceTrouble(runtime, device, 'logRule', {
    grade: level,
    values: { ...values, message: message ?? name, from, ...look },
    ...{ at, same: 'rule' },
  })
}
