import type { RenderInput } from '../driver'
import type { LanNetwork } from './lans'

// The guests' page by a name of the network, also for who is in: the gateway's name server answers it with an address that
// no network has (RFC 5737), and the gate leads whatever is asked there over plain http to the portal.

export const pageAddress = '192.0.2.1'
/** DHCP's option for name servers. */
const nameServers = 6

type Served = Pick<LanNetwork, 'dhcp' | 'dns1' | 'dns2' | 'options'>

/** Whether clients of a network ask the gateway for names, as far as DHCP tells them whom to ask. */
export const asksGateway = ({ dhcp, dns1, dns2, options }: Served): boolean =>
  dhcp && dns1 === undefined && dns2 === undefined && !options.some(one => one.code === nameServers)

/** By which name guests of a network find their page; undefined: by none, or nothing leads them there. */
export const pageNameOf = (network: LanNetwork, { gate }: Pick<RenderInput, 'gate'>): string | undefined =>
  gate && network.portal && asksGateway(network) ? network.portal.pageName : undefined
