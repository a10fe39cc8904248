import { uhttpd } from './lan/gate-portal'
import { dhcp, firewall, network } from './lan/lan-packages'
import { dropbear, system } from './system/system-packages'
import type { Package } from './uci/package'
import { ddns } from './uplinks/ddns'
import { mwan3 } from './uplinks/mwan3'
import { usteer } from './wifi/steering'
import { wireless } from './wifi/wifi-package'

/** Every file of /etc/config that we have sections in, in the order in which the system follows a change. */
export const packages: readonly Package[] = [
  network,
  wireless,
  dhcp,
  firewall,
  ddns,
  mwan3,
  usteer,
  uhttpd,
  system,
  dropbear,
]
