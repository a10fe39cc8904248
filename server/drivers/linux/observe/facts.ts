import type { DeviceRole, Facts, Interface } from '../../observation'
import { isLight } from '../../unix/leds'
import { parseOsRelease } from '../../unix/os-release'
import type { Parts } from '../../unix/parts'
import { clean, lines, number, pairs, present } from '../../unix/text'
import { missingZones } from '../base/zones'
import { containerBridge } from './interfaces'

/** What makers leave in the DMI tables instead of an answer. */
const filler =
  /^(to be filled|default string|not (specified|applicable|available)|none|unknown|n\/?a|0+|x+|-+|system (manufacturer|product name|version|serial number|sku ?(number)?)|sku|o\.?e\.?m\.?|0123456789|123456789)\b/i
const told = (text: string | undefined, max = 128) => {
  const value = clean(text, max)
  return value && !filler.test(value) ? value : undefined
}

/** Gateway before access point before switch: a router with radios is still the router of its site. */
export function roleOf(tools: ReadonlySet<string>, ports: number, bridges: number): DeviceRole {
  if (tools.has('forwarding') && (tools.has('nat') || tools.has('dnsmasq-running'))) return 'gateway'
  if (tools.has('wifi')) return 'ap'
  return tools.has('ovs') || (bridges > 0 && ports > 2) ? 'switch' : 'other'
}

function capabilitiesOf(parts: Parts, tools: Set<string>): string[] {
  const known: [string, boolean][] = [
    ['systemd', tools.has('systemd') && tools.has('systemd-run')],
    ['hostapd', tools.has('hostapd')],
    ['wifi', tools.has('wifi')],
    ['noSae', tools.has('without-sae_password')],
    ['noSaeKeys', tools.has('without-|vlanid=')],
    ['noOwe', tools.has('without-owe_transition_ifname')],
    ['noEap', tools.has('without-auth_server_addr')],
    ['noWep', tools.has('without-wep_key0')],
    ['ovs', tools.has('ovs')],
    ['noVlan', parts.text('kernel-vlans')?.trim() === 'none'],
    ['nftables', tools.has('nft')],
    ['tc', tools.has('tc')],
    ['dnsmasq', tools.has('dnsmasq')],
    ['nftset', tools.has('nftset')],
    ['pppoe', tools.has('pppoe')],
    ['inadyn', tools.has('inadyn')],
    ['lldp', tools.has('lldpcli')],
    ['timesyncd', tools.has('timesyncd')],
    ['rsyslog', tools.has('rsyslogd')],
    ['rsyslogTls', tools.has('rsyslog-gtls')],
    ['sshd', tools.has('sshd')],
    ['snmpd', tools.has('snmpd')],
    ['leds', lines(parts.text('leds')).some(isLight)],
    ['root', parts.text('uid')?.trim() === '0'],
  ]
  return known.filter(([, has]) => has).map(([name]) => name)
}

export function readFacts(parts: Parts, interfaces: Interface[], radios: number, ports: number): Facts {
  const system = parseOsRelease(parts.text('os-release'))
  const dmi = pairs(parts.text('dmi'))
  const tools = new Set(lines(parts.text('tools')).map(line => line.trim()))
  if (radios > 0) tools.add('wifi')
  if (tools.has('ovs-vsctl') && parts.status('ovs-bridges') === 0) tools.add('ovs')
  const kernel = clean(parts.text('kernel'))
  const pretty = clean(system.PRETTY_NAME)
  return present<Facts>({
    hostname: clean(parts.text('hostname')),
    vendor: told(dmi.sys_vendor) ?? told(dmi.board_vendor),
    model: told(dmi.product_name) ?? told(dmi.model) ?? told(dmi.board_name),
    serial: told(dmi.product_serial, 64) ?? told(dmi['serial-number'], 64),
    partNumber: told(dmi.product_sku),
    hardware: told(dmi.product_version),
    boot: told(dmi.bios_version),
    firmware: clean([system.NAME, system.VERSION_ID ?? system.VERSION].filter(Boolean).join(' ')) ?? pretty,
    mac: baseMac(interfaces),
    uptimeSeconds: readUptime(parts),
    description: clean([pretty, kernel].filter(Boolean).join(', ')),
    kind: roleOf(
      tools,
      ports,
      interfaces.filter(one => one.type === 'bridge' && !containerBridge.test(one.name)).length,
    ),
    capabilities: [...capabilitiesOf(parts, tools), ...missingZones(parts.text('zones'))],
  })
}

/** Ticks of /proc/PID/stat in a second: USER_HZ, the same on every architecture we meet. */
const userHz = 100

/** Seconds since init began: a container's /proc/uptime is its host's. */
export function readUptime(parts: Parts): number | undefined {
  const system = number(parts.text('uptime')?.trim().split(/\s+/)[0])
  // proc(5): starttime is the 22nd field; the 2nd, in brackets, may hold blanks.
  const init = parts.text('init')
  const started = number(init?.slice(init.lastIndexOf(')') + 2).split(' ')[19]) ?? 0
  return system === undefined ? undefined : Math.max(0, Math.floor(system - started / userHz))
}

/** The bridge's that carries an address, as the device's neighbours know it by; else the first Ethernet interface's. */
function baseMac(interfaces: Interface[]): string | undefined {
  const management = interfaces.find(
    one => one.type === 'bridge' && one.mac && one.addresses?.length && !containerBridge.test(one.name),
  )
  const of = (type: Interface['type']) => interfaces.find(one => one.type === type && one.mac)?.mac
  return management?.mac ?? of('ethernet') ?? of('bridge') ?? of('wifi')
}
