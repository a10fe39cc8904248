import type { Area } from './area/area'
import { forwardingArea } from './area/forwarding'
import { rulesArea } from './area/rules-file'
import { queuesArea, shapingFile } from './area/shaping'
import { blockedFile } from './firewall/blocked'
import { rulesFile } from './firewall/firewall'
import { gateArea } from './firewall/gate'
import { portalArea } from './firewall/gate-portal'
import { scheduleArea } from './firewall/schedule'
import { wifiClientsArea } from './firewall/wifi-clients'
import { wifiQueuesArea } from './firewall/wifi-shaping'
import { wirelessFile } from './firewall/wireless-rules'
import { internetArea } from './internet/internet-area'
import { isolation } from './lan/lan'
import { lanArea } from './lan/lan-area'
import { portsArea } from './ports/ports-area'
import {
  agentArea,
  keysArea,
  ledsArea,
  loginArea,
  nameArea,
  ntpArea,
  passwordArea,
  syslogArea,
  zoneArea,
} from './system/system-areas'
import { natLogFile, recordsArea } from './system/traffic-logs'
import { translation } from './uplinks/wan-rules'
import { voucherKeysArea } from './wifi/voucher-keys'
import { wifiArea } from './wifi/wifi-area'

/** Every part of the settings that has files on a device, in the order in which their services follow a change. */
export const areas: readonly Area[] = [
  gateArea,
  lanArea,
  rulesArea(isolation),
  portalArea,
  portsArea,
  internetArea,
  rulesArea(translation),
  voucherKeysArea,
  wifiArea,
  rulesArea(rulesFile),
  rulesArea(wirelessFile),
  rulesArea(blockedFile),
  rulesArea(natLogFile),
  // After the rules that say what may pass.
  forwardingArea,
  rulesArea(shapingFile),
  queuesArea,
  wifiQueuesArea,
  wifiClientsArea,
  nameArea,
  zoneArea,
  ntpArea,
  syslogArea,
  recordsArea,
  loginArea,
  keysArea,
  passwordArea,
  agentArea,
  ledsArea,
  scheduleArea,
]
