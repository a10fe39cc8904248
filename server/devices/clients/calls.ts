import * as z from 'zod'
import { f } from '@/model/fields'
import { limits } from '@/model/limits'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Octets } from '@/server/history/station-counters'
import { type StationRange, stationRangeNames } from '@/server/history/stations'
import { call, type NetworkContext } from '@/server/kernel/call'
import { csvFile } from '@/server/kernel/csv'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { blockCalls, blockedOf, withBlock } from './block-calls'
import { editCalls } from './edit-calls'
import { fixedCalls, fixedOf } from './fixed-call'
import { healthOf } from './health'
import { iconCalls } from './icon-calls'
import { kickCall } from './kick-call'
import { limitCalls, limitOf } from './limit-call'
import { lockCalls } from './lock-calls'
import { clientNow } from './now'
import { presenceCall } from './presence-call'
import { connectedPage, offlineClient, offlinePage, placesOf, type ShownClient, trailOf, watchedClients } from './shown'
import { policiesAbout, timeOf } from './time-policies'

type Wanted = Parameters<typeof offlinePage>[1] & { state: 0 | 1 }

/** A page of those that are connected (`state` 1), or of the others. */
function pageOfClients(context: NetworkContext, { state, ...input }: Wanted) {
  // Most devices have a port of that name.
  if (input.port !== undefined && input.device === undefined) failFields({ deviceId: 'required' })
  return state === 1 ? connectedPage(context.runtime, context.network.id, input) : offlinePage(context, input)
}

const reading = { tag: 'clients', scope: 'network', authority: 'clients', changes: false } as const

/** Any name that is on the air, not only of networks that are set here. */
const ssidName = z.string().min(1).max(limits.textCharacters)
const portName = z.string().min(1).max(limits.textCharacters)
const stateInput = z.strictObject({ state: z.union([z.literal(0), z.literal(1)]).default(1) })

const apOptions = call({
  ...reading,
  path: 'clients/ap-options',
  input: stateInput,
  /** {result: [{id, name, count}]}: devices that clients are connected to (`state` 1), or were last, by name. */
  run: async ({ runtime, network }, { state }) => ({
    result: (await placesOf(runtime, network.id, state === 1)).devices,
  }),
})

const ssidList = call({
  ...reading,
  path: 'clients/ssid-list',
  input: stateInput,
  /** {result: [{ssid, count}]}: SSIDs that clients are connected to (`state` 1), or were last, by name. */
  run: async ({ runtime, network }, { state }) => ({
    result: (await placesOf(runtime, network.id, state === 1)).ssids,
  }),
})

const list = call({
  ...reading,
  path: 'clients/list',
  input: z.strictObject({
    ...listInput,
    deviceId: z.int().min(1).optional(),
    /** Of `deviceId`, as rows name it. */
    port: portName.optional(),
    ssid: ssidName.optional(),
    /** 1: connected now; 0: seen before, and not connected. */
    state: z.union([z.literal(0), z.literal(1)]).default(1),
    wifi: z.boolean().optional(),
  }),
  /**
   * End devices as the network's devices see them, or saw them last. `since`: of one that is connected since when, else
   * when it was last seen. `downBps`, `upBps`: between the last two readings; `day`: octets of the last 24 hours, each
   * absent where nobody tells. `blocked`: on the block list, `until` a moment or for good. `counts`: those that are found
   * without `wifi`, and all that are not connected.
   */
  async run(context, { deviceId: device, ...input }) {
    const blocked = await blockedOf(context)
    const found = await pageOfClients(context, { device, ...input })
    return { ...found, result: found.result.map(one => withBlock(one, blocked)) }
  },
})

const exportSize = 200

/** Every client there is, page by page: the worker answers no more at once. */
async function everyClient(context: NetworkContext, wanted: Omit<Wanted, 'page' | 'pageSize'>) {
  const all: ShownClient[] = []
  for (let page = 1; ; page++) {
    const found = await pageOfClients(context, { ...wanted, page, pageSize: exportSize })
    all.push(...found.result)
    if (found.result.length === 0 || all.length >= found.total) return all
  }
}

/** Octets of each client over each range, in the ranges' order. */
type Totals = (mac: string, range: number) => Octets | undefined

/** Of a network with tens of thousands at once: a month is added up once. */
async function totalsOf({ runtime, network, now }: NetworkContext, clients: readonly ShownClient[]): Promise<Totals> {
  const macs = clients.map(one => one.mac)
  const found = await fleetOf(runtime).ask('clientTotals', { network: network.id, macs, now })
  const places = new Map(macs.map((mac, at) => [mac, at]))
  return (mac, range) => found[range]?.[places.get(mac) ?? -1]
}

const rangeWords: Record<StationRange, string> = { '1d': '24 h', '1w': '7 d', '1m': '31 d' }
const totalColumns = stationRangeNames.flatMap((name, range) => [
  [`bytes to client ${rangeWords[name]}`, (mac: string, totals: Totals) => totals(mac, range)?.down] as const,
  [`bytes from client ${rangeWords[name]}`, (mac: string, totals: Totals) => totals(mac, range)?.up] as const,
])

const clientColumns: readonly (readonly [string, (one: ShownClient) => string | number | undefined])[] = [
  ['mac', one => one.mac],
  ['name', one => one.name],
  ['vendor', one => one.vendor],
  ['address', one => one.addresses?.join(' ') ?? one.address],
  ['connected', one => (one.online ? 'yes' : 'no')],
  ['device', one => one.deviceName],
  ['port', one => one.port],
  ['ssid', one => one.ssid],
  ['vlan', one => one.vlan],
  ['signal dBm', one => one.signalDbm],
  ['since', one => new Date(one.since).toISOString()],
  ['bytes to client', one => one.downOctets],
  ['bytes from client', one => one.upOctets],
  ['note', one => one.note],
  ['type', one => one.icon ?? one.kind],
]
const queryNumber = z.coerce.number()

const exportClients = call({
  ...reading,
  get: true,
  exports: true,
  path: 'exports/clients',
  input: z.strictObject({
    search: listInput.search,
    deviceId: queryNumber.pipe(z.int().min(1)).optional(),
    port: portName.optional(),
    ssid: ssidName.optional(),
    /** As of `clients/list`. */
    state: queryNumber.pipe(z.union([z.literal(0), z.literal(1)])).default(1),
    wifi: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  }),
  /**
   * A CSV file of what `clients/list` lists for the same words; what no device tells is empty. `since` of one that is not
   * connected is when it was last seen. Bytes of the last 24 hours, 7 and 31 days are as of `clients/history`.
   */
  async run(context, { deviceId: device, ...wanted }) {
    const all = await everyClient(context, { device, ...wanted })
    const totals = await totalsOf(context, all)
    const heads = [...clientColumns, ...totalColumns].map(([head]) => head)
    const lines = all.map(one => [
      ...clientColumns.map(([, of]) => of(one)),
      ...totalColumns.map(([, of]) => of(one.mac, totals)),
    ])
    return csvFile('clients', [heads, ...lines], context.now)
  },
})

const macInput = z.strictObject({ mac: f.mac() })

const info = call({
  ...reading,
  path: 'clients/info',
  input: macInput,
  /**
   * One client: connected, or as it was last seen. Refused where no device of the network ever saw it. `health` where it
   * is on Wi-Fi and its access point tells something of that. `limit`: the rates that are set for it alone. `signs`:
   * by what it is told what it is, `weight` each. `time`: what it used of the time that a policy allows, and when that
   * begins anew. `policies`: all of them that are about it, also those that are off; absent where there is none.
   */
  async run(context, { mac }) {
    const found = (await clientNow(context, mac)) ?? fail('clientNotFound', { mac })
    const health = found.online ? healthOf(found) : undefined
    const limit = await limitOf(context, mac)
    const time = timeOf(context.runtime, context.network, found, context.now)
    const policies = policiesAbout(context.runtime, context.network.id, found)
    return {
      ...found,
      ...(health && { health }),
      ...(limit && { limit }),
      ...(time && { time }),
      ...(policies.length > 0 && { policies }),
    }
  },
})

const setting = call({
  ...reading,
  path: 'clients/setting',
  input: macInput,
  /**
   * What people have set for one client: its name, note and type, whether they are told of it, its block, its rates and
   * its fixed address. What is not set is absent.
   */
  async run(context, { mac }) {
    const { runtime, network } = context
    const { givenName, note, icon, watched, blocked } = withBlock(
      offlineClient(runtime, network.id, mac) ?? fail('clientNotFound', { mac }),
      await blockedOf(context),
    )
    const [limit, fixed] = [await limitOf(context, mac), await fixedOf(context, mac)]
    return { name: givenName, note, icon, watched, blocked, limit, fixed }
  },
})

const history = call({
  ...reading,
  path: 'clients/history',
  input: z.strictObject({
    mac: f.mac(),
    range: z.enum(stationRangeNames as [StationRange, ...StationRange[]]).default('1d'),
  }),
  /**
   * Signal (dBm, on Wi-Fi) and traffic (bit/s) of a client; columns of equal length, null where it was not there or no
   * device told. By wire it is what a port carried while it was the only one there. `totals`: octets of each range up to
   * now, null where nothing is known.
   */
  run: ({ runtime, network, now }, { mac, range }) =>
    fleetOf(runtime).ask('stationHistory', { network: network.id, mac, range, now }),
})

const roaming = call({
  ...reading,
  path: 'clients/roaming',
  input: z.strictObject({ mac: f.mac(), page: listInput.page, pageSize: listInput.pageSize }),
  /**
   * What became of a client in the last month, newest first: it came, moved (`from`: where it was), had another address
   * (`former`: the one before) or left; somebody disconnected or blocked it, or released its address.
   */
  run: ({ runtime, network }, { mac, page, pageSize }) => trailOf(runtime, network.id, mac, page, pageSize),
})

const monitor = call({
  ...reading,
  path: 'clients/monitor',
  input: z.strictObject(listInput),
  /** The clients that people are told of when they come and go (`clients/subscribe`), as `clients/list` has them; first those that are here. */
  async run(context, input) {
    const blocked = await blockedOf(context)
    const rows = (await watchedClients(context)).map(one => withBlock(one, blocked))
    return listed(rows, input, {
      text: row => [
        row.name,
        row.mac,
        row.address,
        ...(row.addresses ?? []),
        row.vendor,
        row.deviceName,
        row.port,
        row.ssid,
      ],
      sort: {
        name: row => row.name,
        mac: row => row.mac,
        address: row => row.address,
        on: row => row.deviceName,
        since: row => row.since,
        state: row => Number(row.online),
      },
    })
  },
})

export const clientCalls = [
  list,
  apOptions,
  ssidList,
  exportClients,
  info,
  history,
  roaming,
  monitor,
  ...blockCalls,
  ...lockCalls,
  ...editCalls,
  ...limitCalls,
  ...iconCalls,
  ...fixedCalls,
  setting,
  kickCall,
  presenceCall,
] as const
