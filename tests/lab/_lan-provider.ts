// A provider of IPv6 behind the gateway's second way out, and the gateway's settings for it.
import type { DesiredDocument } from '@/server/drivers/driver'
import { lab } from './_lab'

export const way = (more: object): DesiredDocument => ({
  id: 'way',
  kind: 'wan',
  name: 'way',
  data: { name: 'way', interface: 'eth3', metric: 2, ...more },
})
export const kept: DesiredDocument = {
  id: 'kept',
  kind: 'wan',
  name: 'kept',
  data: { name: 'kept', interface: 'eth0', connection: 'kept' },
}

/** It announces itself, gives one prefix of 56 bits, and sends that to whoever has it. */
export async function beginProvider(): Promise<void> {
  const dhcpd = 'subnet6 2001:db8:f::/64 { prefix6 2001:db8:50:: 2001:db8:50:: /56; }'
  const router = '-6 route replace 2001:db8:50::/56 via fe80::5eff:fe10:f4 dev eth1'
  await lab.sh(
    'inet',
    `ip -6 addr add 2001:db8:f::1/64 dev eth1; ip ${router}; echo '${dhcpd}' >/run/pd.conf; >/run/pd.leases
    dnsmasq -C /dev/null --port=0 --interface=eth1 --bind-dynamic --enable-ra --dhcp-range=2001:db8:f::,ra-only --pid-file=/run/ra.pid
    dhcpd -6 -q -cf /run/pd.conf -lf /run/pd.leases -pf /run/pd.pid eth1`,
  )
  // A device's own firewall that lets IPv6 in is a person's decision.
  for (const hook of ['input', 'forward'])
    await lab.in('gw', ['nft', 'insert', 'rule', 'inet', 'filter', hook, 'iifname', 'eth3', 'accept'])
}

/** c2 listens to routers, and begins anew. */
export const listens = () =>
  lab.sh(
    'c2',
    'sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0 net.ipv6.conf.eth0.accept_ra=2; ip link set eth0 down; ip link set eth0 up',
  )
