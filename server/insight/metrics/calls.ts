import * as z from 'zod'
import { limits } from '@/model/limits'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { type AccessibleNetwork, accessibleNetworks, actorIn } from '@/server/people/access/access'
import { isHostOrganization } from '@/server/people/accounts/actor'
import { collect } from './collect'
import { grafanaDashboard } from './grafana'
import { storeState } from './store'
import { textOf, textType } from './text'

const reading = { tag: 'metrics', scope: 'organization', changes: false } as const

/** Those in which the caller has the right: where a network is shared it may be less than at home. */
const readableNetworks = ({ runtime, actor }: OrganizationContext): AccessibleNetwork[] =>
  accessibleNetworks(runtime.db, actor).filter(one => actorIn(actor, one).authorities.has('metrics'))

const flag = z.enum(['0', '1'])

const scrape = call({
  ...reading,
  path: 'metrics',
  authority: 'metrics',
  get: true,
  input: z.strictObject({
    /** One of them alone; without it all that the key enters. */
    network: z.coerce.number().pipe(z.int().min(1)).optional(),
    interfaces: flag.default('1'),
    /** A series for each Wi-Fi client, with its MAC address. */
    clients: flag.default('0'),
  }),
  /** Prometheus' text format: devices, interfaces, radios, ways to the internet, and of who holds the manager its own figures. */
  async run(context, { network, interfaces, clients }) {
    const { runtime, actor } = context
    const all = readableNetworks(context)
    const networks = network === undefined ? all : all.filter(one => one.id === network)
    if (network !== undefined && networks.length === 0) fail('networkNotFound', { networkId: null })
    const devices = networks.reduce((sum, one) => sum + indexedDevices(runtime, one.id).length, 0)
    if (interfaces === '1' && devices > limits.metricsDevices)
      fail('metricsTooMany', { devices, most: limits.metricsDevices })
    const manager =
      network === undefined && actor.networks === 'all' && isHostOrganization(runtime.db, actor.organization)
    const wanted = { networks, manager, interfaces: interfaces === '1', clients: clients === '1' }
    const text = await textOf(collect(runtime, wanted))
    return new Response(text, { headers: { 'content-type': textType, 'cache-control': 'no-store' } })
  },
})

const status = call({
  ...reading,
  path: 'metrics/status',
  authority: 'organization_manager',
  input: z.strictObject({}),
  /** How the store takes what it is sent: {last?, waiting: requests, dropped: series}. */
  run: ({ runtime }) => storeState(runtime),
})

const dashboard = call({
  ...reading,
  path: 'metrics/dashboard',
  authority: 'organization_api',
  get: true,
  input: z.strictObject({}),
  /** A dashboard for Grafana that draws these series; it asks for the data source when it is imported. */
  run: () =>
    new Response(JSON.stringify(grafanaDashboard(), null, 2), {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="lanward-grafana.json"',
        'cache-control': 'no-store',
      },
    }),
})

export const metricsCalls = [scrape, status, dashboard] as const
