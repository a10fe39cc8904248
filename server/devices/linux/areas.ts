import type { Area } from './area'
import { firewallArea } from './firewall-area'
import { lanArea } from './lan-area'
import { wifiArea } from './wifi-area'

/** Every part of the settings that has files on a device, in the order in which their services follow a change. */
export const areas: readonly Area[] = [lanArea, wifiArea, firewallArea]
