import * as z from 'zod'
import { limits } from '@/model/limits'
import { call } from '@/server/kernel/call'
import { listInput } from '@/server/kernel/lists'
import { askPresence } from '@/server/people/keys/presence'
import { connectedPage } from './shown'

export const presenceCall = call({
  tag: 'clients',
  scope: 'network',
  authority: 'clients',
  changes: false,
  path: 'clients/presence',
  input: z.strictObject({
    page: listInput.page,
    pageSize: listInput.pageSize,
    wifi: z.boolean().optional(),
    ssid: z.string().min(1).max(limits.textCharacters).optional(),
  }),
  /**
   * Who is here, by MAC address: {at, result: [{mac, since, wifi, device, deviceName, port, ssid, vlan, signalDbm}]}; times in
   * unix ms. What no device tells is absent. No names and no addresses: those are of `clients/list`. Refused while the
   * Presence API is off.
   */
  async run({ runtime, network, now }, wanted) {
    askPresence(runtime, now)
    const sort = { field: 'mac', direction: 'asc' } as const
    const { result, total, page, pageSize } = await connectedPage(runtime, network.id, { ...wanted, sort })
    const places = result.map(({ mac, since, wifi, device, deviceName, port, ssid, vlan, signalDbm }) => ({
      ...{ mac, since, wifi, device, deviceName, port, ssid, vlan, signalDbm },
    }))
    return { at: now, result: places, total, page, pageSize }
  },
})
