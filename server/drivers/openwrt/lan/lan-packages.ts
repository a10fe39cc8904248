import { verify } from '../uci/fw4-check'
import type { Package } from '../uci/package'
import { reloadService } from '../uci/reload-service'
import { verifyDhcp, verifyNetwork } from './lan-check'

export const network: Package = {
  name: 'network',
  reload: 'ubus call network reload',
  lists: ['ports', 'dns', 'egress_qos_mapping'],
  // Of a way to the internet that asks for a login.
  verify: verifyNetwork,
}
export const dhcp: Package = {
  name: 'dhcp',
  // One of the two may be all that serves, and the other is off: rc.common starts what it cannot reload.
  reload: `${reloadService('dnsmasq')}
! /etc/init.d/odhcpd enabled 2>/dev/null || /etc/init.d/odhcpd reload || :`,
  lists: ['dhcp_option'],
  verify: verifyDhcp,
}
export const firewall: Package = {
  name: 'firewall',
  // rc.common starts one that it cannot reload: its owner may have switched it off, as on many access points.
  // The last that fw4 does is to run scripts of others, and it ends with what they end with: then its own check decides.
  reload: `[ -e /var/run/fw4.state ] || [ -e /var/run/fw3.state ] || /etc/init.d/firewall enabled ||
  { echo 'the firewall of this device is switched off'; false; } &&
  { /etc/init.d/firewall reload || fw4 check; }`,
  lists: ['network', 'proto', 'icmp_type'],
  ordered: true,
  verify,
}
