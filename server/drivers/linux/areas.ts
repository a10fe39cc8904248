import type { Area } from './area'
import { blockedFile } from './blocked'
import { rulesFile } from './firewall'
import { forwardingArea } from './forwarding'
import { gateArea } from './gate'
import { portalArea } from './gate-portal'
import { internetArea } from './internet-area'
import { isolation } from './lan'
import { lanArea } from './lan-area'
import { portsArea } from './ports-area'
import { rulesArea } from './rules-file'
import { scheduleArea } from './schedule'
import { queuesArea, shapingFile } from './shaping'
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
} from './system-areas'
import { voucherKeysArea } from './voucher-keys'
import { translation } from './wan-rules'
import { wifiArea } from './wifi-area'
import { wifiClientsArea } from './wifi-clients'
import { wifiQueuesArea } from './wifi-shaping'
import { wirelessFile } from './wireless-rules'

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
  loginArea,
  keysArea,
  passwordArea,
  agentArea,
  ledsArea,
  scheduleArea,
]
