import { at, type Vendor } from './vendor'

const zonePointStates = { 0: 'offline', 1: 'online', 2: 'pending', 3: 'pending', 4: 'pending' } as const

/** Stand-alone access points (RUCKUS-HWINFO-, -SWINFO-, -SYSTEM-, -RADIO-MIB). */
const ruckus: Vendor = {
  name: 'Ruckus',
  enterprises: ['25053'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [at('25053.1.1.2.1.1.1.1.0')],
    serial: [at('25053.1.1.2.1.1.1.2.0')],
    firmware: [at('25053.1.1.3.1.1.1.1.1.3', { pick: 'first' })],
  },
  health: {
    cpuPercent: [at('25053.1.1.11.1.1.1.1.0')],
    memoryUsedPercent: [at('25053.1.1.11.1.1.1.2.0')],
    wirelessClients: [at('25053.1.1.12.1.1.1.3.1.2', { pick: 'sum' })],
  },
  lists: {
    radios: [
      {
        name: 'ruckusRadioStatsTable',
        entry: '25053.1.1.12.1.1.1.3.1',
        fields: {
          band: { index: 0, means: { 1: '2g', 2: '5g' } },
          noiseDbm: { column: '25053.1.1.12.1.1.1.2.1.8' },
          utilizationPercent: { column: 50 },
        },
      },
    ],
  },
}

/** ZoneDirector and Unleashed: the same MIBs below two numbers. */
const director = (root: string): Pick<Vendor, 'name' | 'roles' | 'facts' | 'health' | 'lists'> => ({
  name: 'Ruckus',
  roles: [{ role: 'gateway' }],
  facts: {
    model: [at(`${root}.1.1.1.1.9.0`)],
    serial: [at(`${root}.1.1.1.1.15.0`)],
    firmware: [at(`${root}.1.1.1.1.18.0`)],
  },
  health: {
    cpuPercent: [at(`${root}.1.1.1.5.58.0`)],
    memoryUsedPercent: [at(`${root}.1.1.1.5.59.0`)],
    wirelessClients: [at(`${root}.1.1.1.15.2.0`)],
  },
  lists: {
    bss: [
      {
        name: 'ruckusZDWLANTable',
        entry: `${root}.2.1.1.1.1.1`,
        fields: { ssid: { column: 1 }, clients: { column: 12 } },
      },
    ],
    accessPoints: [
      {
        name: 'ruckusZDWLANAPTable',
        entry: `${root}.2.1.1.2.1.1`,
        fields: {
          mac: [{ column: 1 }, { index: 0, numbers: 6 }],
          name: { column: 2 },
          state: { column: 3, means: zonePointStates },
          model: { column: 4 },
          serial: { column: 5 },
          firmware: { column: 7 },
          address: { column: 10 },
          clients: { column: 15 },
        },
      },
    ],
  },
})

const ruckusZoneDirector: Vendor = {
  ...director('25053.1.2'),
  enterprises: ['25053.3.1.5'],
}
/** Unleashed runs in an access point, with the number of one. */
const ruckusUnleashed: Vendor = {
  ...director('25053.1.15'),
  enterprises: ['25053'],
  answers: ['25053.1.15'],
}

/** SmartZone and SmartCell Gateway (RUCKUS-CTRL-, -SZ-SYSTEM- and -SZ-WLAN-MIB). */
const ruckusSmartZone: Vendor = {
  name: 'Ruckus',
  enterprises: ['25053.3.1.11', '25053.3.1.10'],
  roles: [{ role: 'gateway' }],
  facts: {
    model: [at('25053.1.8.1.1.1.1.1.1.3', { pick: 'first' })],
    serial: [at('25053.1.4.1.1.1.15.13.0')],
    firmware: [at('25053.1.8.1.1.1.1.1.1.9', { pick: 'first' })],
  },
  health: { wirelessClients: [at('25053.1.4.1.1.1.15.2.0')] },
  lists: {
    bss: [
      {
        name: 'ruckusSZWLANTable',
        entry: '25053.1.4.2.1.1.1.2.1',
        fields: { ssid: { column: 1 }, clients: { column: 12 } },
      },
    ],
    accessPoints: [
      {
        name: 'ruckusSZAPTable',
        entry: '25053.1.4.2.1.1.2.2.1',
        fields: {
          mac: [{ column: 1 }, { index: 0, numbers: 6 }],
          name: { column: 5 },
          firmware: { column: 7 },
          model: { column: 8 },
          serial: { column: 9 },
          address: { column: 10 },
          clients: { column: 15 },
          state: { column: 16, means: { Connect: 'online', Disconnect: 'offline' } },
        },
      },
    ],
  },
}
const ruckusByName: Vendor = {
  ...ruckusSmartZone,
  enterprises: ['25053'],
  description: /smartzone|smartcell|\b(SZ-?\d{3}|vSZ|SCG)/i,
}
const zoneDirectorByName: Vendor = {
  ...ruckusZoneDirector,
  enterprises: ['25053'],
  description: /zonedirector|\bZD\d/i,
}

export const ruckusRows: readonly Vendor[] = [
  ruckus,
  ruckusByName,
  ruckusSmartZone,
  ruckusUnleashed,
  ruckusZoneDirector,
  zoneDirectorByName,
]
