import * as z from 'zod'
import { alertConfigs } from '@/db/schema'
import { alertConfig } from '@/model/notify/alert-config'
import { call } from '@/server/kernel/call'
import type { LogFields } from '@/server/kernel/changelog'
import { fail, failFields } from '@/server/kernel/fail'
import { configRow, readConfig, storedConfig } from './config'
import { endQuiet } from './quiet'

const query = call({
  tag: 'alerts',
  scope: 'network',
  authority: 'alerts',
  changes: false,
  path: 'alerts/config/query',
  input: z.strictObject({}),
  /** What the network's people are told of; `revision` is 0 before the first save. */
  run: ({ runtime: { db }, network }) => ({
    values: readConfig(db, network.id),
    revision: configRow(db, network.id)?.revision ?? 0,
  }),
})

const save = call({
  tag: 'alerts',
  scope: 'network',
  authority: 'alerts_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
  path: 'alerts/config/save',
  topics: ['alerts'],
  input: alertConfig.extend({ revision: z.int().min(0) }),
  /** Refused with staleRevision {current} where somebody else saved meanwhile. What is open keeps the time it was given. */
  run(context, { revision, ...values }) {
    const { runtime, network } = context
    if (values.quiet && values.quietFrom === values.quietUntil) failFields({ quietUntil: 'sameTime' })
    return runtime.db.transaction(tx => {
      const stored = configRow(tx, network.id)?.revision ?? 0
      const before = readConfig(tx, network.id)
      if (revision !== stored) fail('staleRevision', { current: { revision: stored, values: before } })
      const row = { data: storedConfig(values), revision: stored + 1 }
      tx.insert(alertConfigs)
        .values({ network: network.id, ...row })
        .onConflictDoUpdate({ target: alertConfigs.network, set: row })
        .run()
      const keys = Object.keys(values) as (keyof typeof values)[]
      const changed = keys.filter(key => JSON.stringify(before[key]) !== JSON.stringify(values[key]))
      const fields: LogFields = Object.fromEntries(changed.map(key => [key, [before[key], values[key]]]))
      if (changed.some(key => key.startsWith('quiet'))) endQuiet(tx, network.id, context.now)
      context.log({ action: 'edit', object: 'alerts', name: network.name, fields })
      return { revision: row.revision }
    })
  },
})

export const alertConfigCalls = [query, save] as const
