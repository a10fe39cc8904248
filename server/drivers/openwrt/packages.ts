import { ddns } from './ddns'
import { uhttpd } from './gate-portal'
import { dhcp, firewall, network } from './lan-packages'
import { mwan3 } from './mwan3'
import type { Package } from './package'
import { usteer } from './steering'
import { dropbear, system } from './system-packages'
import { wireless } from './wifi-package'

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
