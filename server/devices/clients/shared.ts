import * as z from 'zod'
import { f } from '@/model/fields'
import type { NetworkContext } from '@/server/kernel/call'

// What calls that change clients have in common.

/** Nothing on a device is configured by these. */
export const editing = {
  tag: 'clients',
  scope: 'network',
  authority: 'clients_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const

export const macsInput = z.array(f.mac()).min(1, 'required').max(100, 'tooMany')

type Telling = Pick<NetworkContext, 'runtime' | 'network'> & { actor: { organization: number } }
export const tellClients = ({ runtime, actor, network }: Telling): void =>
  runtime.bus.emit({ topic: 'clients', organization: actor.organization, network: network.id })
