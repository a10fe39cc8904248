import type { Host, Interface, ManagerPath } from '../observation'
import { number, present } from './text'

const address = /^[0-9a-fA-F:.]{2,45}$/

/**
 * The manager's way in. `connection` is sshd's SSH_CONNECTION ("peer port local port"), `route` what `ip route get PEER`
 * says; without it the interface is the one with the local address.
 */
export function readPath(
  connection: string | undefined,
  route: string | undefined,
  interfaces: readonly Interface[],
  hosts: readonly Host[] = [],
): ManagerPath | undefined {
  const [peer = '', , local = '', service] = (connection ?? '').trim().split(/\s+/).map(bare)
  if (!address.test(peer) || !address.test(local)) return undefined
  const told = / dev (\S+)/.exec(route ?? '')?.[1]
  const holds = (one: Interface) => one.addresses?.some(cidr => cidr.split('/')[0] === local)
  const found = told === undefined ? interfaces.find(holds) : interfaces.find(one => one.name === told)
  // What is behind a router is on the port that the router is on.
  const next = / via (\S+)/.exec(route ?? '')?.[1] ?? peer
  const port = hosts.find(host => host.address === next)?.port ?? found?.key
  return present<ManagerPath>({ peer, local, interface: found?.key, port, service: number(service, 1, 65_535) })
}

/** Without the scope of a link-local address, and an IPv4 address of a dual socket as such. */
const bare = (text: string) => text.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/, '')
