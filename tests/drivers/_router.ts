// A small router in the lines of `uci show`, and the same with other lines.

const lines = (name: string, type: string, options: Record<string, string>) => [
  `${name}=${type}`,
  ...Object.entries(options).map(([option, words]) => `${name}.${option}=${words}`),
]

const zone = (at: number, name: string, networks: string, policy: string) =>
  lines(`firewall.@zone[${at}]`, 'zone', {
    ...{ name: `'${name}'`, network: networks, input: policy, output: "'ACCEPT'", forward: policy },
    ...(name === 'wan' && { masq: "'1'", mtu_fix: "'1'" }),
  })

/** A LAN, a WAN by DHCP, a pool, two zones. */
export const router = [
  ...lines('network.loopback', 'interface', { device: "'lo'", proto: "'static'", ipaddr: "'127.0.0.1'" }),
  ...lines('network.@device[0]', 'device', { name: "'br-lan'", type: "'bridge'", ports: "'lan1' 'lan2' 'lan3'" }),
  ...lines('network.lan', 'interface', {
    ...{ device: "'br-lan'", proto: "'static'", ipaddr: "'192.168.1.1'", netmask: "'255.255.255.0'" },
  }),
  ...lines('network.wan', 'interface', { device: "'wan'", proto: "'dhcp'" }),
  ...lines('network.wan6', 'interface', { device: "'wan'", proto: "'dhcpv6'" }),
  ...lines('dhcp.lan', 'dhcp', {
    ...{ interface: "'lan'", start: "'100'", limit: "'150'", leasetime: "'12h'", dhcpv4: "'server'" },
  }),
  ...zone(0, 'lan', "'lan'", "'ACCEPT'"),
  ...zone(1, 'wan', "'wan' 'wan6'", "'REJECT'"),
  ...lines('firewall.@forwarding[0]', 'forwarding', { src: "'lan'", dest: "'wan'" }),
].join('\n')

/** Two networks of the LAN's bridge that share a zone. */
export const guests = [
  ...['guest', 'hall'].flatMap((name, at) =>
    lines(`network.${name}`, 'interface', {
      ...{ device: `'br-lan.${30 + at}'`, proto: "'static'" },
      ...{ ipaddr: `'192.168.${30 + at}.1'`, netmask: "'255.255.255.0'" },
    }),
  ),
  ...zone(2, 'guests', "'guest' 'hall'", "'REJECT'"),
  ...lines('firewall.@forwarding[1]', 'forwarding', { src: "'guests'", dest: "'wan'" }),
].join('\n')

/** Time servers, a radio and its network. */
export const air = [
  ...lines('system.ntp', 'timeserver', { enabled: "'1'", server: "'0.pool.example' '1.pool.example'" }),
  ...lines('wireless.radio0', 'wifi-device', { band: "'2g'", channel: "'1'", htmode: "'HE20'", country: "'DE'" }),
  ...lines('wireless.@wifi-iface[0]', 'wifi-iface', {
    ...{ device: "'radio0'", mode: "'ap'", network: "'lan'", ssid: "'Lobby'", encryption: "'none'" },
    ...{ macfilter: "'deny'", maclist: "'02:00:00:00:00:0a' '02:00:00:00:00:0b'" },
  }),
].join('\n')

/** With other words of one option, in its place or behind the others of its section; without them where they are empty. */
export function withOption(text: string, option: string, words: string): string {
  const section = option.slice(0, option.lastIndexOf('.'))
  const kept = text.split('\n').filter(line => !line.startsWith(`${option}=`))
  const at = kept.findLastIndex(line => line.startsWith(`${section}.`) || line.startsWith(`${section}=`))
  return words === '' ? kept.join('\n') : kept.toSpliced(at + 1, 0, `${option}=${words}`).join('\n')
}
