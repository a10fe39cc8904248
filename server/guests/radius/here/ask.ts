import type { Data } from '@/model/kind'
import type { RadiusFields } from '@/model/profiles/radius'
import type { Runtime } from '@/server/kernel/runtime'
import { askServer, statusOf } from '../client'
import { type Attribute, number32, textOf, types } from '../packet'
import { ownSecret } from './desired'

const own = (runtime: Runtime) => ({ host: '127.0.0.1', port: 1812, secret: ownSecret(runtime) })

/** A profile of it as the manager's own portal asks; `data`: what the profile says beside. */
export const ownServer = (runtime: Runtime, network: number, data: Data): RadiusFields => {
  const { host: server, port, secret } = own(runtime)
  return { ...(data as RadiusFields), server, port, secret, nasId: String(network) }
}

/** Whether FreeRADIUS answers. */
export const isRunning = (runtime: Runtime): Promise<boolean> => statusOf(own(runtime))

export type Tried =
  | { outcome: 'silent' }
  /** `user`: the document that decided. */
  | { outcome: 'accepted'; user?: string; vlan?: number }
  | { outcome: 'refused'; unknown: boolean }

const authenticateOnly = 8

/** A sign-in with a password, asked of the real server as a device of the network would ask. */
export async function trySignIn(
  runtime: Runtime,
  network: number,
  { name, password }: { name: string; password: string },
): Promise<Tried> {
  const attributes: Attribute[] = [
    [types.userName, Buffer.from(name)],
    [types.nasIdentifier, Buffer.from(String(network))],
    [types.serviceType, number32(authenticateOnly)],
  ]
  const response = await askServer(own(runtime), password, attributes)
  if (!response) return { outcome: 'silent' }
  if (!response.accepted) return { outcome: 'refused', unknown: textOf(response, types.replyMessage) === 'unknown' }
  // A byte may stand before the number that is the tunnel's tag (RFC 2868 section 3.6).
  const vlan = Number(/\d+$/.exec(textOf(response, types.tunnelGroup) ?? '')?.[0] ?? 0)
  const user = textOf(response, types.class)
  return { outcome: 'accepted', ...(user !== undefined && { user }), ...(vlan > 0 && { vlan }) }
}
