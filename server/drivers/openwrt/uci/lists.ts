// Options that are lists. Their words are the same in several values, in one with blanks between them, and in both:
// `list dns 'a'` twice, `option dns 'a b'`. netifd, fw4 and the init scripts split them alike.

const blanks = /\s+/
/** What dnsmasq is told may hold blanks itself: a next option begins with its number or name, outside quotes. */
const dnsmasqOptions = /\s+(?=(?:\d{1,3}|option6?:[\w-]+),)(?=[^"]*(?:"[^"]*"[^"]*)*$)/

const all = (...options: string[]): Readonly<Record<string, RegExp>> =>
  Object.fromEntries(options.map(option => [option, blanks]))

/** Package of /etc/config → its lists, with what stands between two words of one. */
const lists: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  network: all('dns', 'dns_search', 'ip6addr', 'ip6class', 'ip6prefix', 'ipaddr', 'ports'),
  wireless: all('maclist', 'network'),
  dhcp: { ...all('mac', 'server', 'tag'), dhcp_option: dnsmasqOptions },
  firewall: all(
    ...['network', 'device', 'subnet', 'proto', 'icmp_type'],
    ...['src_ip', 'src_mac', 'src_port', 'dest_ip', 'dest_port'],
  ),
  system: all('server'),
}

/** An option's words in whatever values they stand; values of one that is no list stay as they are. */
export function wordsIn(config: string, option: string, values: readonly string[]): string[] {
  const between = lists[config]?.[option]
  return between ? values.flatMap(value => value.trim().split(between)).filter(Boolean) : [...values]
}
