/**
 * Rooms inside a room of `_rooms.ts` that is large, from the ground up, as folders; `.` is what lies flat in it. The
 * longest name that fits counts. One imports what stands before it, types included.
 */
export const innerRooms: Readonly<Record<string, readonly string[]>> = {
  'server/drivers': [
    // What a driver is, and what all of them share.
    '.',
    'announce',
    'models',
    'snmp/protocol',
    'snmp/tables',
    'snmp/wireless',
    'snmp/observe',
    'snmp/ports',
    'snmp/traps',
    'snmp',
    'ssh',
    'unix',
    'tools',
    // The system's own files: read, and edited where something of them is imported.
    'linux/unmanaged',
    'linux/base',
    'linux/observe',
    'linux/area',
    'linux/ports',
    'linux/uplinks',
    'linux/lan',
    'linux/internet',
    'linux/wifi',
    'linux/firewall',
    'linux/system',
    'linux/ownership',
    'linux',
    'openwrt/uci',
    // What options say, and the sections of the system's own that several rooms import.
    'openwrt/options',
    'openwrt/imported',
    'openwrt/uplinks',
    'openwrt/observe',
    'openwrt/ports',
    'openwrt/lan',
    'openwrt/internet',
    'openwrt/wifi',
    'openwrt/firewall',
    'openwrt/system',
    'openwrt',
    'registry',
  ],
  'server/devices/change': [
    // What a device should have, and what it was given last.
    'plan',
    'saved',
    'drift',
    'overview',
    'import',
    'ports',
    'push',
    '.',
  ],
}

/** Drivers of kinds of devices: none knows another. */
export const systems = ['snmp', 'linux', 'openwrt']
