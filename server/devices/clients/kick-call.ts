import * as z from 'zod'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { addDeed } from './known'
import { editing, macsInput, tellClients } from './shared'
import { connectedPage, type ShownClient } from './shown'

/** Asks each device to put its own out. Answers whom they did, and what went wrong. */
export async function kickAll({ runtime }: Pick<NetworkContext, 'runtime'>, clients: readonly ShownClient[]) {
  const fleet = fleetOf(runtime)
  const ids = [...new Set(clients.flatMap(({ device }) => device ?? []))]
  const macsOn = (id: number) => clients.flatMap(one => (one.device === id ? one.mac : []))
  const told = await Promise.allSettled(ids.map(id => fleet.ask('kick', { id, macs: macsOn(id) })))
  // The list shows what is there now, not what was read a minute ago; who does not answer is polled again anyway.
  await Promise.allSettled(ids.map(id => fleet.ask('observeNow', id)))
  return {
    kicked: told.flatMap(one => (one.status === 'fulfilled' ? one.value : [])),
    errors: told.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : [])),
  }
}

export const kickCall = call({
  ...editing,
  path: 'clients/kick',
  topics: ['clients', 'settings'],
  input: z.strictObject({ macs: macsInput }),
  /**
   * Disconnects Wi-Fi clients at once; each may connect again. Answers `kicked`, whom their access points put out, and
   * `left`, those that are not on Wi-Fi now, or whose device did not do it. Refused where it is nobody.
   */
  async run(context, { macs }) {
    const { runtime, network, log } = context
    const wanted = [...new Set(macs)]
    const { result } = await connectedPage(runtime, network.id, { macs: wanted, page: 1, pageSize: wanted.length })
    const onAir = result.filter(one => one.wifi)
    const able = onAir.filter(one => one.can?.kick)
    if (onAir.length === 0) fail('clientNotOnWifi')
    if (able.length === 0) fail('clientNotKicked', { device: onAir[0]?.deviceName ?? '' })
    const { kicked, errors } = await kickAll(context, able)
    if (kicked.length === 0) errors.length > 0 ? failDevice(errors[0]) : fail('clientNotOnWifi')
    runtime.db.transaction(() => {
      for (const one of able.filter(({ mac }) => kicked.includes(mac))) {
        addDeed(context, one.mac, 'kicked', one)
        log({ action: 'kick', object: 'client', name: one.name ?? one.mac })
      }
    })
    tellClients(context)
    return { kicked, left: wanted.filter(mac => !kicked.includes(mac)) }
  },
})
