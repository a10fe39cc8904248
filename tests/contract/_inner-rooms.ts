/** Names of files or folders of a folder. */
const within = (folder: string, names: string): string[] => names.split(' ').map(name => `${folder}/${name}`)

const linux = (names: string) => within('linux', names)
const openwrt = (names: string) => within('openwrt', names)

/**
 * Rooms inside a room of `_rooms.ts` that is large, from the ground up: what each holds, files without their ending or
 * whole folders; the longest name that fits counts. `.` is whatever lies flat and is named nowhere. One imports what
 * stands before it, types included: a file that only the last room of its folder may import needs no entry.
 */
export const innerRooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'server/drivers': {
    // What a driver is, and what all of them share; whose device a tool runs on is a part of it.
    contract: ['.', 'tools/vantage'],
    announce: ['announce'],
    models: ['models'],
    snmp: ['snmp'],
    ssh: ['ssh'],
    unix: ['unix'],
    tools: ['tools'],
    'linux/base': linux(
      'paths owners filters zones kernel-vlans switching iw-phy oneshot script schedule-script vlan-ports lan-bridge dnsmasq unmanaged/edit unmanaged/ini unmanaged/links unmanaged/proposals unmanaged/syslog-levels unmanaged/system',
    ),
    'linux/observe': linux('interfaces facts read-wifi observe'),
    'linux/area': linux('area rules-file drop-in management forwarding shaping unmanaged/files unmanaged/imported'),
    'linux/ports': linux('ports-script ports ports-area'),
    'linux/uplinks': linux('wan-links wan-rules'),
    'linux/lan': linux('lan-warnings lan lan-area'),
    'linux/internet': linux('ddns internet internet-area'),
    'linux/wifi': linux(
      'hostapd-conf hostapd-radio private-keys voucher-keys wifi wifi-back wifi-area neighbor-reports mesh steering',
    ),
    'linux/firewall': linux('firewall blocked gate gate-portal wireless-rules wifi-clients wifi-shaping schedule'),
    'linux/system': linux('snmp-agent syslog system system-areas'),
    linux: ['linux'],
    'openwrt/uci': openwrt(
      'session ubus uci show sections lists probe places package reload-service package-secrets posix-zones hours files schedule fw4-check await-networks importable imported zone-imported network-roles neighbours',
    ),
    // What options say, and the sections of the system's own that several rooms import.
    'openwrt/words': openwrt('option-words private-keys wifi-fields meaning'),
    'openwrt/imported': openwrt('management pool-imported lan-imported wan-imported'),
    'openwrt/uplinks': openwrt('uplinks mwan3 ddns'),
    'openwrt/observe': openwrt('facts interfaces read-wifi reservations observe'),
    'openwrt/ports': openwrt('vlans port-vlans ports mirror leds limits'),
    'openwrt/lan': openwrt('gate-portal lan-zones lan lan-check lan-packages'),
    'openwrt/internet': openwrt('internet'),
    'openwrt/wifi': openwrt(
      'radio air wifi wifi-back wifi-check wifi-imported wifi-package bare-vlans mesh steering neighbor-reports',
    ),
    'openwrt/firewall': openwrt('firewall-cuts firewall blocked gate ssid-rates wireless-rules'),
    'openwrt/system': openwrt('system system-packages'),
    openwrt: ['openwrt'],
    registry: ['registry', 'abilities'],
  },
  'server/devices/change': {
    // What a device should have, and what it was given last.
    plan: [
      ...['assigned', 'ssid-portals', 'desired', 'gate', 'portal-name', 'radius-names', 'imported', 'left-out'],
      ...[
        'transport',
        'config-digest',
        'diff',
        'sync-cache',
        'plan',
        'authority',
        'deployments',
        'belongings',
        'locks',
      ],
    ],
    saved: ['applied-revisions', 'without', 'at-once'],
    drift: ['adopted', 'drift'],
    overview: ['reach', 'overview', 'outlook'],
    import: ['unmanaged', 'import-later', 'import', 'release'],
    ports: ['port-clients', 'port-calls'],
    push: ['address-change', 'ended-log', 'verification', 'engine', 'together', 'waves', 'culprit', 'batch'],
    calls: ['.'],
  },
}

/** Drivers of kinds of devices: none knows another. */
export const systems = ['snmp', 'linux', 'openwrt']
