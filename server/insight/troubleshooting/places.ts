import { deviceState } from '@/model/device-state'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import type { NetworkContext } from '@/server/kernel/call'
import { isHostOrganization } from '@/server/people/accounts/actor'

// Where the network can be looked from.

/** This machine looks for those alone who run it: what it reaches is their LAN. */
export const mayUseManager = ({ runtime, actor }: NetworkContext) => isHostOrganization(runtime.db, actor.organization)

export const able = ({ runtime, network }: NetworkContext) =>
  indexedDevices(runtime, network.id).filter(one => abilitiesOf(one).diagnose && one.status !== 2)

type Device = ReturnType<typeof able>[number]

/** A device as it is offered. */
export const placeOf = (one: Device) => ({
  ...{ id: one.id, name: one.name, address: one.address },
  online: deviceState(one) === 'online',
})
