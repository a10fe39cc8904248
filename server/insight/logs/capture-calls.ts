import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import { syslogCaptures } from '@/db/schema'
import { limits } from '@/model/limits'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { call } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { capturesOf } from './captures'
import { logsPart } from './reception'

const own = { tag: 'logs', scope: 'network' } as const
const editing = {
  ...own,
  authority: 'settings_system_edit',
  changes: true,
  topics: ['logs'],
  changelog: 'entry',
  send: 'once',
} as const
const id = z.int().positive()
const { minutes, running } = limits.syslogCapture

const list = call({
  ...own,
  authority: 'settings_system',
  changes: false,
  path: 'syslog/list',
  input: z.strictObject(wholeListInput),
  /**
   * Captures of the network, those that go on and the former ones, newest first: `device` null of all devices, `until` and
   * `endedAt` in unix ms, `endedAt` null while it goes on, `lines` that were kept for it so far.
   */
  run({ runtime, network }, input) {
    const names = new Map(indexedDevices(runtime, network.id).map(one => [one.id, one.name]))
    const rows = capturesOf(runtime.db, network.id).map(({ network: _, device, ...row }) => ({
      ...row,
      device: device === null ? null : { id: device, name: names.get(device) ?? '' },
    }))
    return listed(rows, input, {
      text: row => [row.device?.name, row.startedBy],
      sort: {
        device: row => row.device?.name,
        startedAt: row => row.startedAt,
        severity: row => row.severity,
        lines: row => row.lines,
      },
    })
  },
})

const start = call({
  ...editing,
  path: 'syslog/start',
  input: z.strictObject({
    /** Null: all devices of the network. */
    deviceId: id.nullable().default(null),
    /** 0 to 7: lines at least so grave. */
    severity: z.int().min(0).max(7).default(7),
    /** Rule S8: after that it ends by itself. */
    minutes: z.int().min(minutes.min).max(minutes.max).default(minutes.default),
  }),
  /**
   * Receives what devices of the network log for a while, over UDP and TCP where nothing is received, and keeps the lines.
   * Answers {id, until}. What devices send, and where to, stays as it is.
   */
  run({ runtime, actor, network, now, log }, input) {
    const until = now + input.minutes * 60_000
    const of = indexedDevices(runtime, network.id).find(one => one.id === input.deviceId)
    if (input.deviceId !== null && !of) failFields({ deviceId: 'notFound' })
    const made = runtime.db.transaction(tx => {
      const open = capturesOf(tx, network.id).filter(one => one.endedAt === null)
      if (open.length >= running) fail('syslogCaptureLimit', { limit: running })
      log({
        action: 'start',
        object: 'syslogCapture',
        name: of?.name ?? network.name,
        fields: { minutes: [null, input.minutes] },
      })
      return tx
        .insert(syslogCaptures)
        .values({
          ...{ network: network.id, device: of?.id ?? null, severity: input.severity },
          ...{ startedAt: now, startedBy: actor.account, until },
        })
        .returning({ id: syslogCaptures.id })
        .get().id
    })
    logsPart.find(runtime)?.renew()
    return { id: made, until }
  },
})

const stop = call({
  ...editing,
  path: 'syslog/stop',
  input: z.strictObject({ id }),
  /** Ends a capture before its time; one that has ended stays as it is. Its lines stay. */
  run({ runtime, network, now, log }, input) {
    const { db } = runtime
    db.transaction(tx => {
      const row = capturesOf(tx, network.id).find(one => one.id === input.id) ?? fail('syslogCaptureNotFound')
      if (row.endedAt !== null) return
      const of = indexedDevices(runtime, network.id).find(one => one.id === row.device)
      tx.update(syslogCaptures)
        .set({ endedAt: Math.min(now, row.until) })
        .where(and(eq(syslogCaptures.id, row.id), isNull(syslogCaptures.endedAt)))
        .run()
      log({ action: 'stop', object: 'syslogCapture', name: of?.name ?? network.name })
    })
    logsPart.find(runtime)?.renew()
    return {}
  },
})

export const captureCalls = [list, start, stop] as const
