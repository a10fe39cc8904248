import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { takesSetting } from '@/model/abilities'
import type { Assign } from '@/model/assign'
import { placeFields } from '@/model/place-fields'
import { schedule } from '@/model/profiles/schedule'
import { radio } from '@/model/wifi/radio'
import { ssid } from '@/model/wifi/ssid'
import { isAssigned } from '@/server/devices/change/plan/assigned'
import { fleetOf } from '@/server/devices/link/fleet'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { call, type NetworkContext } from '@/server/kernel/call'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { below, networkGroups, pathOf } from '@/server/networks/groups/groups'
import { viewDocuments } from '@/server/networks/settings/documents'
import { allowedIn } from '@/server/networks/settings/regulatory'
import { viewSingle } from '@/server/networks/settings/singles'
import type { DocumentView } from '@/server/networks/settings/store'
import type { WirelessNow } from '@/server/worker/wireless'

const reading = { tag: 'devices', scope: 'network', authority: 'devices', changes: false } as const

/** A week, and dates that have their own times instead. */
type Hours = { weekly: string; dates: { date: string; times: string }[] }

type Placed = { id: number; canServe: boolean; path: number[] }

/** The network's devices with their groups; `canServe`: it has a radio and takes settings of Wi-Fi. */
function placedDevices({ runtime, network }: NetworkContext, carriers: readonly number[]): Placed[] {
  const { id, driver, kind, group } = devices
  const rows = runtime.db.select({ id, driver, kind, group }).from(devices).where(eq(devices.network, network.id)).all()
  const groups = networkGroups(runtime.db, network.id)
  const paths = new Map<number | null, number[]>()
  const withRadio = new Set(carriers)
  return rows.map(row => {
    const path = paths.get(row.group) ?? pathOf(groups, row.group)
    paths.set(row.group, path)
    const takes = takesSetting(abilitiesOf(row), ssid.id)
    return { id: row.id, path, canServe: takes && (row.kind === 'ap' || withRadio.has(row.id)) }
  })
}

function servingOf(placed: readonly Placed[], serving: ReadonlySet<number>, assign: Assign | undefined) {
  const here = placed.filter(one => assign && isAssigned(assign, one.id, one.path))
  const on = here.filter(one => serving.has(one.id)).length
  return { serving: on, of: here.filter(one => one.canServe || serving.has(one.id)).length }
}

/** When the schedules of a network are on, by their ids. */
function hoursOf({ runtime, network }: NetworkContext): Map<string, Hours> {
  const all = viewDocuments(runtime, network.id, schedule) as (DocumentView & Partial<Hours>)[]
  return new Map(all.map(({ id, weekly = '', dates = [] }) => [id, { weekly, dates }]))
}

const ssids = call({
  ...reading,
  path: 'wifi/ssids/list',
  input: z.strictObject(wholeListInput),
  /**
   * How each Wi-Fi network does now: `serving` of the `of` access points that it was given to broadcast it; clients, and
   * octets of the last day to (`downOctets`) and from them, each absent where no access point tells. `hours`: the times of
   * its schedule, where it has one.
   */
  async run(context, input) {
    const { runtime, network } = context
    const now: WirelessNow = await fleetOf(runtime).ask('wireless', { network: network.id })
    const placed = placedDevices(context, now.carriers)
    const found = new Map(now.ssids.map(one => [one.ssid, one]))
    const hours = hoursOf(context)
    const rows = viewDocuments(runtime, network.id, ssid).map(({ id, name, assign, schedule: by }) => {
      const { devices: on = [], clients, downOctets, upOctets } = found.get(String(name)) ?? {}
      const serving = servingOf(placed, new Set(on), assign)
      return { id, name: String(name), ...serving, clients, downOctets, upOctets, hours: hours.get(String(by)) }
    })
    return listed(rows, input, {
      text: one => [one.name],
      sort: { name: one => one.name, clients: one => one.clients, serving: one => one.serving },
    })
  },
})

const scope = z.strictObject({ group: z.int().positive().optional(), device: z.int().positive().optional() })

/** Devices of the scope; undefined: all of the network. */
function devicesOf({ runtime, network }: NetworkContext, { group, device }: z.output<typeof scope>) {
  if (device !== undefined) return [device]
  if (group === undefined) return undefined
  const groups = new Set(below(networkGroups(runtime.db, network.id), group))
  const { id, group: of } = devices
  const rows = runtime.db.select({ id, of }).from(devices).where(eq(devices.network, network.id)).all()
  return rows.filter(one => one.of !== null && groups.has(one.of)).map(one => one.id)
}

const radios = call({
  ...reading,
  path: 'wifi/radios/get',
  authority: 'settings_wifi',
  also: ['devices'],
  input: z.strictObject({ scope: scope.default({}), country: placeFields.country().optional() }),
  /**
   * What radios may use and what they use now. `country`: the one asked for, else the one set for the scope, else the
   * network's; `allowed`: its channels by band, absent for a country of which nothing is known; `now`: by band how many
   * radios are on which channel, width and power.
   */
  async run(context, input) {
    const { runtime, network } = context
    const { own, inherited } = viewSingle(context, radio, input.scope)
    const set = input.country ?? own.country ?? inherited.country?.value
    const country = typeof set === 'string' ? set : network.country
    const of = devicesOf(context, input.scope)
    const now = await fleetOf(runtime).ask('bandUse', { network: network.id, ...(of && { devices: of }) })
    return { country, allowed: allowedIn(country), now }
  },
})

/** Calls about how Wi-Fi does. */
export const wifiCalls = [ssids, radios] as const
