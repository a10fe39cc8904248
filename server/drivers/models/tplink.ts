import { at, fromDescription, type Vendor } from './vendor'

// Short circuit, wrong device, voltage, hardware, heat.
const shut = 'errdisable'
const poeFaults = { 3: 'overload', 4: shut, 5: shut, 6: shut, 7: shut, 8: shut, 9: shut } as const

/** JetStream and Omada switches: TPLINK-SYSINFO-, -SYSMONITOR-, -POWER-OVER-ETHERNET- and -DOT1Q-VLAN-MIB. */
const tplink: Vendor = {
  name: 'TP-Link',
  enterprises: ['11863'],
  roles: [
    { role: 'ap', description: /access point|\bEAP\d/i },
    { role: 'gateway', description: /\bER\d{3}|\bTL-ER\d|router/i },
    { role: 'switch', objectId: '11863.5' },
    { role: 'switch', objectId: '11863.1.1' },
    { role: 'switch', description: /switch/i },
  ],
  facts: {
    hardware: [at('11863.6.1.1.5.0')],
    firmware: [at('11863.6.1.1.6.0')],
    serial: [at('11863.6.1.1.8.0')],
    model: [
      at('11863.6.1.1.5.0', { pattern: /^(\S+)/ }),
      fromDescription(/\b((?:TL-)?(?:S[GXL]|T)\d{4}[\w-]*|(?:TL-S[FGL]|EAP|ER)\d+[\w-]*)/),
    ],
  },
  health: {
    cpuPercent: [at('11863.6.4.1.1.1.1.3', { pick: 'max' }), at('11863.6.4.1.1.1.1.2', { pick: 'max' })],
    memoryUsedPercent: [at('11863.6.4.1.2.1.1.2', { pick: 'max' })],
  },
  poe: {
    budgetWatts: [at('11863.6.56.1.1.1.1.0', { times: 0.1 })],
    usedWatts: [at('11863.6.56.1.1.1.3.0', { times: 0.1 })],
  },
  lists: {
    poePorts: [
      {
        name: 'tpPoePortConfigTable',
        entry: '11863.6.56.1.1.2.1.1',
        fields: {
          enabled: { column: 2, means: { 0: false, 1: true } },
          watts: { column: 7, times: 0.1 },
          state: { column: 11, means: { 1: 'searching', 2: 'delivering', ...poeFaults } },
        },
      },
    ],
    portVlans: [
      {
        name: 'vlanPortConfigTable',
        entry: '11863.6.14.1.1.1.1',
        fields: { port: { column: 1 }, pvid: { column: 3 } },
      },
    ],
    vlans: [
      {
        name: 'vlanConfigTable',
        entry: '11863.6.14.1.2.1.1',
        fields: {
          id: [{ column: 1 }, { index: 0 }],
          name: { column: 2 },
          tagged: { column: 3 },
          untagged: { column: 4 },
        },
      },
    ],
  },
}

export const tplinkRows: readonly Vendor[] = [tplink]
