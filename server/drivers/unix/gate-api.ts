import { isIPv4 } from 'node:net'
import type { Gate, RenderInput, Warning } from '../driver'
import type { DhcpOption } from './dhcp-options'
import { asksGateway } from './gate-page'
import { portalPlace } from './gate-rules'
import type { LanNetwork } from './lans'

// Clients are told of the portal's API (RFC 8908) by DHCP (RFC 8910). They look for a portal in no other way then, so only
// where it can answer: the name leads to it, and it sees who asks.

/** Of RFC 8910. */
const captivePortal = 114

export type Announced = {
  option: DhcpOption
  /** What the gateway's name server has to answer. */
  name: string
  address: string
}

const pathOf = (id: string) => `/portal/${id}/api`

/** Whether an option that is seen on a device is this network's announcement, which settings say by its portal. */
export const isAnnouncement = ({ code, value }: { code: number; value: string }, id: string): boolean =>
  code === captivePortal && value.endsWith(pathOf(id))

const wants = ({ portal }: LanNetwork, { known }: NonNullable<Gate['api']>): boolean =>
  portal?.announce === 'issued' || (portal?.announce === 'known' && known)

type Judged = { announced?: Announced; warning?: Warning }

/** `outside`: interfaces that hide who sends behind the gateway's own address. */
function judge(network: LanNetwork, { gate, observation }: RenderInput, outside: readonly string[]): Judged {
  if (!gate?.api || !network.dhcp || !wants(network, gate.api)) return {}
  const given = new Set(network.options.map(one => one.code))
  // The network says itself where its portal is.
  if (given.has(captivePortal)) return {}
  const { name } = gate.api
  const { address, port } = portalPlace(gate.url)
  const values = { lan: network.name, name }
  const untold = (why: 'names' | 'way'): Judged => ({
    warning: { code: `portalUntold.${why}`, kind: 'lan', document: network.id, values },
  })
  if (!asksGateway(network)) return untold('names')
  const way = observation?.path?.interface
  if (!isIPv4(address) || (way !== undefined && outside.includes(way))) return untold('way')
  const text = `https://${name}:${port}${pathOf(network.id)}`
  return { announced: { option: { code: captivePortal, text }, name, address } }
}

/** What clients of a network are told; undefined: nothing. */
export const announcedIn = (
  network: LanNetwork,
  input: RenderInput,
  outside: readonly string[],
): Announced | undefined => judge(network, input, outside).announced

/** Networks that could be told by the portal's name, and are not. */
export const untold = (networks: readonly LanNetwork[], input: RenderInput, outside: readonly string[]): Warning[] =>
  networks.flatMap(one => judge(one, input, outside).warning ?? [])
