import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { noticeTargets } from '@/db/schema'
import type { FieldErrors } from '@/model/field-errors'
import { check, type Data } from '@/model/kind'
import { limits } from '@/model/limits'
import { levelOf } from '@/model/notify/catalogue'
import { publicServers } from '@/model/notify/services'
import { type NoticeTarget, noticeTarget } from '@/model/notify/target'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { difference, mask, withKept } from '@/server/kernel/documents'
import { fail, failFields, requirePrivate } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { withinRate } from '@/server/kernel/rate'
import { readMailServer } from '@/server/mail/server'
import { newestAlert } from '@/server/notify/alerts/notices'
import { forgetHeld } from '@/server/notify/alerts/quiet'
import { closeOwn } from '@/server/notify/alerts/raise'
import { sentence } from '@/server/notify/alerts/sentence'
import { addressesOf, isBlocked, segmentsFor, systemLookup } from '@/server/notify/webhooks/targets'
import { accessibleNetworks } from '@/server/people/access/access'
import { noticeOf } from './gather'
import { lastOf, networksOf, openTarget, sealTarget, type TargetRow, targetsOf } from './rows'
import { noticeWays, tellTarget } from './start'

const own = { tag: 'alerts', scope: 'organization' } as const
const reading = { ...own, authority: 'organization_notices', changes: false } as const
const editing = { ...own, authority: 'organization_notices_edit', changes: true, topics: ['alerts'] } as const
const id = z.int().positive()
const resolveLimitMs = 3000

const found = ({ runtime, actor }: OrganizationContext, wanted: number): TargetRow =>
  targetsOf(runtime.db, actor.organization).find(one => one.id === wanted) ?? fail('noticeTargetNotFound')

const list = call({
  ...reading,
  path: 'alerts/targets/list',
  input: z.strictObject(wholeListInput),
  /**
   * Services that alerts are told to, secrets masked; `values` is null of one whose secret cannot be read. `last`: how
   * its newest try ended, with the service's own words. `offered`: networks that one may choose.
   */
  run({ runtime, actor }, input) {
    const offered = accessibleNetworks(runtime.db, actor).map(({ id, name }) => ({ id, name }))
    const found = targetsOf(runtime.db, actor.organization).map(row => ({ row, values: openTarget(runtime, row) }))
    const { result, ...about } = listed(found, input, {
      text: ({ row, values }) => [row.name, values?.service],
      sort: { name: ({ row }) => row.name, service: ({ values }) => values?.service },
    })
    const view = ({ row, values }: (typeof found)[number]) => ({
      ...{ id: row.id, name: row.name, networks: networksOf(row), last: lastOf(runtime, row.id) },
      values: values ? (mask(noticeTarget, values) as Data) : null,
    })
    return { ...about, result: result.map(view), offered }
  },
})

const shape = z.strictObject({
  /** Of one that is there; without it a new one is made. */
  id: id.optional(),
  /** As model/notify/target.ts has them; a secret that stays is {set: true}. */
  fields: z.record(z.string(), z.unknown()),
  /** Null: all. */
  networks: z.array(id).min(1, 'required').max(limits.networks, 'tooMany').nullable().default(null),
})
type Wanted = z.output<typeof shape>

/** The values as they would be stored, secrets in clear; refuses at the fields. */
function judged(context: OrganizationContext, { id, fields }: Wanted): NoticeTarget {
  if (noticeTarget.secrets.some(key => typeof fields[key] === 'string')) requirePrivate(context)
  const before = id === undefined ? undefined : openTarget(context.runtime, found(context, id))
  const { filled, missing } = withKept(noticeTarget, fields, before)
  const checked = check(noticeTarget, filled)
  const wrong: FieldErrors = { ...('fields' in checked ? checked.fields : {}), ...missing }
  if (!('data' in checked) || Object.keys(wrong).length > 0)
    fail('invalidInput', { ...('values' in checked && { values: checked.values }), fields: wrong })
  return checked.data as NoticeTarget
}

/** Where it goes, and at which field one says so. */
function placeOf({ service, url, server, host }: NoticeTarget): ['url' | 'server' | 'host', string] {
  if (url !== undefined) return ['url', url]
  if (host !== undefined) return ['host', `http://${host.includes(':') ? `[${host}]` : host}`]
  return ['server', server ?? publicServers[service] ?? '']
}

/** Says at once what every message would say. A name that nobody knows now may be known later. */
async function checkPlace({ runtime, actor }: OrganizationContext, target: NoticeTarget): Promise<void> {
  if (target.service === 'mail') {
    if (!readMailServer(runtime)) fail('mailNotSet')
    return
  }
  const [field, address] = placeOf(target)
  if (!URL.canParse(address)) failFields({ [field]: 'addressFormat' })
  const { lookup = systemLookup } = noticeWays.find(runtime) ?? {}
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(done => {
    timer = setTimeout(done, resolveLimitMs)
  })
  const asked = addressesOf(new URL(address), segmentsFor(runtime, actor.organization), lookup).catch(
    (error: unknown) => {
      if (isBlocked(error) && error.blocked !== 'noAddress')
        failFields({ [field]: field === 'host' ? 'targetClear' : error.blocked })
    },
  )
  await Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

function checkNetworks({ runtime, actor }: OrganizationContext, { networks }: Wanted): string | null {
  if (networks === null) return null
  const known = new Set(accessibleNetworks(runtime.db, actor).map(one => one.id))
  if (!networks.every(one => known.has(one))) failFields({ networks: 'notFound' })
  return JSON.stringify([...new Set(networks)])
}

function checkName({ runtime, actor }: OrganizationContext, { id }: Wanted, { name }: NoticeTarget): void {
  const others = targetsOf(runtime.db, actor.organization).filter(one => one.id !== id)
  if (id === undefined && others.length >= limits.noticeTargets)
    fail('noticeTargetLimit', { limit: limits.noticeTargets })
  if (others.some(one => one.name.toLowerCase() === name.toLowerCase())) failFields({ name: 'nameExists' })
}

const save = call({
  ...editing,
  path: 'alerts/targets/save',
  changelog: 'entry',
  send: 'once',
  input: shape,
  /** Makes a target, or changes one. It is told of what happens from now on; one that is turned on again, too. */
  async run(context, input) {
    const { runtime, actor, now, log } = context
    const target = judged(context, input)
    const networks = checkNetworks(context, input)
    checkName(context, input, target)
    await checkPlace(context, target)
    const saved = runtime.db.transaction(tx => {
      checkName(context, input, target)
      const { name } = target
      const row = input.id === undefined ? undefined : found(context, input.id)
      const before = row && openTarget(runtime, row)
      const fields = { service: [before?.service ?? null, target.service] as [unknown, unknown] }
      const changed = Object.keys(difference(noticeTarget, before ?? {}, target))
      log({
        action: row ? 'edit' : 'add',
        object: 'noticeTarget',
        name,
        fields: changed.includes('service') ? fields : {},
      })
      const made = { organization: actor.organization, name, data: '', networks, told: newestAlert(tx), createdAt: now }
      const id = row?.id ?? tx.insert(noticeTargets).values(made).returning({ id: noticeTargets.id }).get().id
      const stays = row !== undefined && before?.enabled === true
      const told = stays ? row.told : made.told
      if (!stays) forgetHeld(tx, { organization: actor.organization, target: id }, Number.MAX_SAFE_INTEGER)
      tx.update(noticeTargets)
        .set({ name, networks, told, data: sealTarget(runtime, id, target) })
        .where(eq(noticeTargets.id, id))
        .run()
      return id
    })
    runtime.bus.emit({ topic: 'alerts', organization: actor.organization })
    return { id: saved }
  },
})

const remove = call({
  ...editing,
  path: 'alerts/targets/delete',
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ id }),
  /** With what waits for it. */
  run(context, input) {
    const { runtime, actor, log } = context
    runtime.db.transaction(tx => {
      const { id, name } = found(context, input.id)
      closeOwn(runtime, 'noticeFailed', { organization: actor.organization, values: { id }, same: 'id' })
      tx.delete(noticeTargets).where(eq(noticeTargets.id, id)).run()
      log({ action: 'delete', object: 'noticeTarget', name })
    })
    runtime.bus.emit({ topic: 'alerts', organization: actor.organization })
    return {}
  },
})

/** Nobody says of a datagram that it arrived. */
const isConfirmed = ({ service, protocol }: NoticeTarget): boolean => service !== 'snmp' && protocol !== 'udp'

const test = call({
  ...editing,
  path: 'alerts/targets/test',
  changelog: 'looks',
  send: 'each',
  input: shape,
  /**
   * Tells one test message now by these values, without saving them. `error` is empty when it arrived, or left where
   * nobody confirms it (`confirmed` false); else what was wrong, with HTTP status and the service's own words.
   */
  async run(context, input) {
    const { runtime, actor, now } = context
    const { most, minutes } = limits.noticeTests
    const target = judged(context, input)
    await checkPlace(context, target)
    if (!withinRate(runtime, `notice tests of ${actor.organization}`, most, minutes * 60_000, now))
      fail('rateLimited', { minutes })
    const type = 'noticeTest'
    const about = { level: levelOf(type), type, text: sentence({ type }) }
    const sample = { id: 1, at: now, ...about, device: '', network: '', link: '' } as const
    const message = { id: randomUUID(), notice: noticeOf(runtime, [sample], 0) }
    const { code, error, answer, waitMs } = await tellTarget(runtime, actor.organization, target, message)
    const seconds = waitMs === undefined ? null : Math.ceil(waitMs / 1000)
    return { code, error, answer, seconds, confirmed: isConfirmed(target) }
  },
})

export const noticeTargetCalls = [list, save, remove, test] as const
