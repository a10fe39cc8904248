import { at, fromDescription, type Vendor } from './vendor'

const supplyStates = { 1: 'ok', 2: 'failed', 3: 'off' } as const
/** hwWlanApRunState: in service, or on its way there; the rest says what is wrong with it. */
const apStates = {
  1: 'pending',
  2: 'pending',
  3: 'offline',
  4: 'offline',
  5: 'pending',
  6: 'offline',
  7: 'pending',
  8: 'online',
  9: 'pending',
  10: 'offline',
  11: 'pending',
  12: 'offline',
  13: 'offline',
  14: 'offline',
  15: 'offline',
} as const

/** VRP: HUAWEI-ENTITY-EXTENT-MIB, -L2VLAN-MIB, -L2MAM-MIB, and of controllers -WLAN-AP-MIB and -WLAN-STATION-MIB. */
const huawei: Vendor = {
  name: 'Huawei',
  enterprises: ['2011'],
  roles: [
    { role: 'gateway', description: /\bAC6\d{3}|access controller/i },
    { role: 'ap', description: /\bAP\d{4}|AirEngine/i },
    { role: 'firewall', description: /\b(USG|Eudemon)/i },
    { role: 'switch', objectId: '2011.2.23' },
    { role: 'gateway', description: /\b(AR|NE)\d+/ },
  ],
  facts: {
    model: [
      fromDescription(/^\s*((?!Huawei|VRP)[A-Z][\w.-]*\d[\w.-]*)\s*$/im),
      fromDescription(/\b((?:S|CE|AR|AP|USG|NE|AC)\d[\w-]+)/),
    ],
    firmware: [fromDescription(/(V\d{3}R\d{3}\w*)/), fromDescription(/Version\s+([\d.]+)/i)],
  },
  health: {
    cpuPercent: [at('2011.5.25.31.1.1.1.1.5', { pick: 'max', skipZero: true })],
    memoryUsedPercent: [at('2011.5.25.31.1.1.1.1.7', { pick: 'max', skipZero: true })],
    memoryTotalBytes: [at('2011.5.25.31.1.1.1.1.9', { pick: 'max', skipZero: true })],
    temperatureCelsius: [at('2011.5.25.31.1.1.1.1.11', { pick: 'max', skipZero: true })],
  },
  lists: {
    fans: [
      {
        name: 'hwFanStatusTable',
        entry: '2011.5.25.31.1.1.10.1',
        fields: {
          percent: { column: 5 },
          state: [
            { column: 6, means: { 2: 'absent' } },
            { column: 7, means: { 1: 'ok', 2: 'failed' } },
          ],
        },
      },
    ],
    powerSupplies: [
      {
        name: 'hwPwrStatusTable',
        entry: '2011.5.25.31.1.1.18.1',
        fields: {
          state: [
            { column: 5, means: { 2: 'absent' } },
            { column: 6, means: supplyStates },
          ],
        },
      },
    ],
    vlans: [
      {
        name: 'hwL2VlanMIBTable',
        entry: '2011.5.25.42.3.1.1.1.1',
        fields: { id: { index: 0 }, name: { column: 2 } },
      },
    ],
    learned: [
      {
        name: 'hwDynFdbTable',
        entry: '2011.5.25.42.2.1.3.1',
        rows: 131_072,
        fields: { mac: { index: 0, numbers: 6 }, id: { index: 6 }, port: { column: 4 } },
      },
    ],
    accessPoints: [
      {
        name: 'hwWlanApTable',
        entry: '2011.6.139.13.3.3.1',
        fields: {
          mac: { index: 0, numbers: 6 },
          serial: { column: 2 },
          model: { column: 3 },
          name: { column: 4 },
          state: { column: 6, means: apStates },
          firmware: { column: 7 },
          address: { column: 13 },
          clients: { column: 44 },
        },
      },
    ],
    stations: [
      {
        name: 'hwWlanStationTable',
        entry: '2011.6.139.18.1.2.1',
        rows: 65_536,
        fields: { mac: { index: 0, numbers: 6 }, ssid: { column: 18 } },
      },
    ],
  },
}

export const huaweiRows: readonly Vendor[] = [huawei]
