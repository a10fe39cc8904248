import { verify } from './fw4-check'
import { verifyDhcp, verifyNetwork } from './lan-check'
import type { Package } from './package'

export const network: Package = {
  name: 'network',
  reload: 'ubus call network reload',
  lists: ['ports', 'dns', 'egress_qos_mapping'],
  // Of a way to the internet that asks for a login.
  secrets: ['password'],
  verify: verifyNetwork,
}
export const dhcp: Package = {
  name: 'dhcp',
  reload: '/etc/init.d/dnsmasq reload && { [ ! -x /etc/init.d/odhcpd ] || /etc/init.d/odhcpd reload; }',
  lists: ['dhcp_option'],
  secrets: [],
  verify: verifyDhcp,
}
export const firewall: Package = {
  name: 'firewall',
  reload: '/etc/init.d/firewall reload',
  lists: ['network', 'proto'],
  secrets: [],
  ordered: true,
  verify,
}
