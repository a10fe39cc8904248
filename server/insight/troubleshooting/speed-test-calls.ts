import * as z from 'zod'
import { serverName, speedServer, speedTestLimits } from '@/model/dashboard/speed-test'
import { call } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { able, mayUseManager, placeOf } from './places'
import { deleteSpeedTests, speedTestOf, speedTestsOf, startSpeedTest, stopSpeedTest } from './speed-tests'

const reading = { tag: 'dashboard', scope: 'network', authority: 'dashboard', changes: false } as const
const running = {
  tag: 'dashboard',
  scope: 'network',
  authority: 'speed_test',
  changes: true,
  topics: ['speedTests'],
  changelog: 'looks',
} as const

const testId = z.uuid('notFound')
const isGateway = ({ kind }: { kind: string }) => kind === 'gateway' || kind === 'firewall'

const servers = call({
  ...reading,
  path: 'dashboard/speed-test/servers',
  input: z.strictObject({}),
  /**
   * {servers, devices, manager}: the servers of the tests that are kept, the last first, each with its `name`; where a
   * test can run: the network's gateways, and whether this machine.
   */
  run(context) {
    const { runtime, network } = context
    const used = speedTestsOf(runtime, network.id).map(({ server }) => [JSON.stringify(server), server] as const)
    const each = [...new Map(used.toReversed()).values()].toReversed()
    return {
      servers: each.slice(0, speedTestLimits.servers).map(server => ({ name: serverName(server), server })),
      devices: able(context).filter(isGateway).map(placeOf),
      manager: mayUseManager(context),
    }
  },
})

const start = call({
  ...running,
  path: 'dashboard/speed-test/start',
  send: 'once',
  input: z.strictObject({
    /** A gateway; absent: this machine. */
    deviceId: z.int().min(1).optional(),
    server: speedServer,
  }),
  /** {id}: begun; `dashboard/speed-test/result` says how it stands. One at a time in a network, else `busy`. */
  run(context, { deviceId, server }) {
    const { runtime, network, actor } = context
    const found = able(context).find(one => one.id === deviceId && isGateway(one))
    if (deviceId !== undefined && !found) failFields({ deviceId: 'notAllowed' })
    if (deviceId === undefined && !mayUseManager(context)) failFields({ deviceId: 'required' })
    const device = found ? { id: found.id, name: found.name } : null
    const place = { network: network.id, organization: actor.organization }
    const id = startSpeedTest(runtime, place, { server, device, by: actor.account })
    return { id: id ?? fail('busy') }
  },
})

const result = call({
  ...reading,
  path: 'dashboard/speed-test/result',
  input: z.strictObject({ id: testId }),
  /** From where, against what, who asked for it; its figures so far; `failure` where it came to nothing. */
  run: ({ runtime, network }, { id }) => speedTestOf(runtime, network.id, id) ?? fail('jobNotFound'),
})

const list = call({
  ...reading,
  path: 'dashboard/speed-test/list',
  input: z.strictObject(listInput),
  /** What is kept of the network, newest first. */
  run({ runtime, network }, input) {
    return listed(speedTestsOf(runtime, network.id), input, {
      text: one => [serverName(one.server), one.device?.name, one.by],
      sort: {
        at: one => one.createdAt,
        server: ({ server }) => serverName(server),
        from: ({ device }) => device?.name ?? '',
        download: ({ figures }) => figures.download?.bps ?? -1,
        upload: ({ figures }) => figures.upload?.bps ?? -1,
        latency: ({ figures }) => figures.idle?.latencyMs ?? -1,
      },
    })
  },
})

const stop = call({
  ...running,
  path: 'dashboard/speed-test/stop',
  send: 'each',
  input: z.strictObject({ id: testId }),
  /** {stopped}: false where it had ended. */
  async run({ runtime, network }, { id }) {
    if (!speedTestOf(runtime, network.id, id)) fail('jobNotFound')
    return { stopped: await stopSpeedTest(runtime, network.id, id) }
  },
})

const remove = call({
  ...running,
  path: 'dashboard/speed-test/delete',
  send: 'each',
  input: z.strictObject({ ids: z.array(testId).min(1, 'required').max(speedTestLimits.kept) }),
  /** Results that ended are forgotten; one that is not there is not there afterwards either. */
  run({ runtime, network }, { ids }) {
    deleteSpeedTests(runtime, network.id, ids)
    return {}
  },
})

export const speedTestCalls = [servers, start, result, list, stop, remove] as const
