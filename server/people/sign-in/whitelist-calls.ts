import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { ipWhitelist } from '@/db/schema'
import { addressOrSegmentProblem, isInSegment, normalSegment } from '@/model/addresses'
import type { CodeName } from '@/model/codes'
import { limits } from '@/model/limits'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import { note } from '@/server/kernel/shapes'
import { type Entry, entriesOf, letsIn } from '@/server/people/accounts/whitelist'

const ip = z.string().trim().min(1, 'required').max(64, 'tooLong')
const remark = note().default('')
const id = z.int().positive()

const entriesHere = ({ runtime, actor }: OrganizationContext) => entriesOf(runtime, actor.organization)

/** Rule A17: an address or a segment of either version, in its normal form, that is not in the list yet. */
function checkedIp(entries: readonly Entry[], text: string, own?: number): string {
  const problem = addressOrSegmentProblem(text)
  if (problem) failFields({ ip: problem }, 'ipIllegal')
  const normal = normalSegment(text)
  if (entries.some(entry => entry.ip === normal && entry.id !== own)) failFields({ ip: 'ipExists' }, 'ipExists')
  return normal
}

/** Whoever changes the list must still be let in by it. */
function keepAsker({ address }: OrganizationContext, after: readonly Pick<Entry, 'ip'>[], code: CodeName): void {
  if (!letsIn(after, address)) fail(code, { ip: address })
}

/** What the change means is heard at once by those who are inside: streams of addresses that may come no more are closed. */
function tell({ runtime, actor }: OrganizationContext): void {
  runtime.bus.emit({ topic: 'sessions', organization: actor.organization })
}

const list = call({
  path: 'ip-whitelist/list',
  tag: 'manager',
  authority: 'organization_security',
  scope: 'organization',
  changes: false,
  input: z.strictObject(listInput),
  run(context, { page, pageSize, search, sort }) {
    const wanted = search?.toLowerCase() ?? ''
    const rows = entriesHere(context)
      .filter(entry => `${entry.ip} ${entry.remark}`.toLowerCase().includes(wanted))
      .map(entry => ({ id: entry.id, ip: entry.ip, remark: entry.remark, createdAt: entry.createdAt }))
    const field = (['ip', 'remark', 'createdAt'] as const).find(name => name === sort?.field)
    const sign = sort?.direction === 'desc' ? -1 : 1
    const order = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0)
    return paginate(field ? rows.toSorted((a, b) => order(a[field], b[field])) : rows, page, pageSize)
  },
})

const add = call({
  path: 'ip-whitelist/add',
  topics: ['sessions'],
  tag: 'manager',
  authority: 'organization_security_edit',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ ip, remark }),
  run(context, input) {
    const { runtime, actor, now, log } = context
    const entries = entriesHere(context)
    const normal = checkedIp(entries, input.ip)
    if (entries.length >= limits.whitelistEntries) fail('ipLimit', { max: limits.whitelistEntries })
    keepAsker(context, [...entries, { ip: normal }], 'ipLocksOut')
    const row = { organization: actor.organization, ip: normal, remark: input.remark, createdAt: now }
    const made = runtime.db.transaction(tx => {
      log({ action: 'add', object: 'ipWhitelist', name: normal })
      return tx.insert(ipWhitelist).values(row).returning({ id: ipWhitelist.id }).get()
    })
    tell(context)
    return { id: made.id, ip: normal }
  },
})

const update = call({
  path: 'ip-whitelist/update',
  topics: ['sessions'],
  tag: 'manager',
  authority: 'organization_security_edit',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id, ip, remark }),
  run(context, input) {
    const entries = entriesHere(context)
    const before = entries.find(entry => entry.id === input.id) ?? fail('ipNotFound')
    const normal = checkedIp(entries, input.ip, input.id)
    const after = entries.map(entry => (entry.id === input.id ? { ip: normal } : entry))
    keepAsker(context, after, 'ipUneditable')
    const own = and(eq(ipWhitelist.id, input.id), eq(ipWhitelist.organization, context.actor.organization))
    context.runtime.db.transaction(tx => {
      tx.update(ipWhitelist).set({ ip: normal, remark: input.remark }).where(own).run()
      const fields = { ip: [before.ip, normal], remark: [before.remark, input.remark] } as const
      const changed = Object.entries(fields).filter(([, [was, is]]) => was !== is)
      context.log({
        action: 'edit',
        object: 'ipWhitelist',
        name: normal,
        fields: Object.fromEntries(changed.map(([key, [was, is]]) => [key, [was, is]])),
      })
    })
    tell(context)
    return {}
  },
})

const remove = call({
  path: 'ip-whitelist/delete',
  topics: ['sessions'],
  tag: 'manager',
  authority: 'organization_security_edit',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ id }),
  run(context, input) {
    const entries = entriesHere(context)
    const gone = entries.find(entry => entry.id === input.id) ?? fail('ipNotFound')
    keepAsker(
      context,
      entries.filter(entry => entry !== gone),
      'ipUndeletable',
    )
    const own = and(eq(ipWhitelist.id, input.id), eq(ipWhitelist.organization, context.actor.organization))
    context.runtime.db.transaction(tx => {
      tx.delete(ipWhitelist).where(own).run()
      context.log({ action: 'delete', object: 'ipWhitelist', name: gone.ip })
    })
    tell(context)
    return {}
  },
})

const current = call({
  path: 'ip-whitelist/current',
  tag: 'manager',
  authority: 'organization_security',
  scope: 'organization',
  changes: false,
  input: z.strictObject({}),
  run: context => ({
    ip: context.address,
    loopback: context.loopback,
    listed: entriesHere(context).some(entry => isInSegment(entry.ip, context.address)),
  }),
})

/** Whether somebody at `ip` would be let in as the list stands, and by which entry. */
const check = call({
  path: 'ip-whitelist/check',
  tag: 'manager',
  authority: 'organization_security',
  scope: 'organization',
  changes: false,
  input: z.strictObject({ ip }),
  run(context, input) {
    if (input.ip.includes('/') || addressOrSegmentProblem(input.ip)) failFields({ ip: 'ipAddress' }, 'ipIllegal')
    const entries = entriesHere(context)
    return {
      allowed: letsIn(entries, input.ip),
      entry: entries.find(one => isInSegment(one.ip, input.ip))?.ip ?? null,
    }
  },
})

export const whitelistCalls = [list, add, update, remove, current, check] as const
