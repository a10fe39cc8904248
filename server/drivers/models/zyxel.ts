import { answering, at, fromDescription, type Vendor } from './vendor'

/** Trees of the switches before ZYXEL-ES-COMMON, one a model below 890.1.5.8: number, group of the processor. */
const older = [
  ['20', '12'],
  ['47', '11'],
  ['55', '12'],
] as const

/** ZYXEL-ES-COMMON, ZYXEL-HW-MONITOR-MIB, ZYXEL-ES-WIRELESS, ZYXEL-ES-CAPWAP, ZYXEL-ZYWALL-ZLD-COMMON-MIB. */
const zyxel: Vendor = {
  name: 'Zyxel',
  enterprises: ['890'],
  roles: [
    { role: 'firewall', description: /\b(USG|ATP|ZyWALL|VPN\d)/i },
    { role: 'ap', description: /\b(NWA|WAC|WAX|WBE)(\d|-|$)/i },
    { role: 'gateway', description: /\b(NXC|P-\d|VMG|AMG|DX\d|EX\d|SBG|LTE|NR)-?\d/i },
    { role: 'switch', description: /\b(GS|XGS|ES|XS|MES|MGS|XMG|MS)-?\d/i },
  ],
  facts: {
    model: [
      at('890.1.15.3.1.11.0'),
      fromDescription(/^((?:GS|XGS|ES|XS|MES|MGS|XMG|MS|USG|NWA|WAC|WAX|WBE|NXC|ATP|VPN|VMG)[\w -]*\d[\w-]*)\s*$/i),
    ],
    serial: [
      at('890.1.15.3.1.12.0'),
      at('890.1.15.3.82.1.10.0'),
      ...older.map(([model]) => at(`890.1.5.8.${model}.1.10.0`)),
    ],
    firmware: [at('890.1.15.3.1.6.0')],
  },
  health: {
    cpuPercent: [
      at('890.1.15.3.2.4.0'),
      at('890.1.15.3.2.8.0'),
      at('890.1.15.3.2.7.0'),
      at('890.1.6.22.1.1.0'),
      ...older.map(([model, group]) => at(`890.1.5.8.${model}.${group}.7.0`)),
    ],
    memoryUsedPercent: [at('890.1.15.3.2.5.0'), at('890.1.6.22.1.2.0')],
    // A controller's capwapTotalStation counts those of all its access points; no table of them is published.
    wirelessClients: [at('890.1.15.3.3.1.4.0'), at('890.1.15.3.5.15.0'), at('890.1.15.3.5.1.1.2', { pick: 'sum' })],
  },
  lists: {
    fans: [
      {
        name: 'zyxelHwMonitorFanRpmTable',
        entry: '890.1.15.3.26.1.1.1',
        fields: { name: { column: 2 }, rpm: { column: 3 } },
      },
      { name: 'fanRpmTable', entry: '890.1.5.8.47.8.1.1', fields: { rpm: { column: 2 } } },
    ],
    temperatures: [
      {
        name: 'zyxelHwMonitorTemperatureTable',
        entry: '890.1.15.3.26.1.2.1',
        fields: { name: { column: 2 }, celsius: { column: 3, skipZero: true } },
      },
      { name: 'tempTable', entry: '890.1.5.8.47.8.2.1', fields: { celsius: { column: 2, skipZero: true } } },
    ],
    radios: [
      {
        name: 'wlanRadioTable',
        entry: '890.1.15.3.5.1.1',
        fields: { band: { column: 5, means: { 1: '2g', 2: '5g', 3: '6g' } }, channel: { column: 6 } },
      },
    ],
  },
}
/** USG FLEX H and other ZLD devices with net-snmp's number. */
const zyxelAnswering = answering(zyxel, '890.1.15.3.1', '890.1.6.22')

export const zyxelRows: readonly Vendor[] = [zyxel, zyxelAnswering]
