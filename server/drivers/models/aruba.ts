import { at, fromDescription, type Vendor } from './vendor'

/** Aruba controllers (WLSX-SYSTEMEXT-MIB, WLSX-SWITCH-MIB, WLSX-WLAN-MIB); memory in KiB. */
const aruba: Vendor = {
  name: 'Aruba',
  enterprises: ['14823'],
  roles: [
    { role: 'switch', description: /switch/i },
    { role: 'gateway', objectId: '14823.1.1' },
  ],
  facts: {
    model: [at('14823.2.2.1.2.1.3.0'), fromDescription(/MODEL:\s*([^\s,)]+)/i)],
    serial: [at('14823.2.2.1.2.1.29.0'), at('14823.2.2.1.1.1.12.0')],
    firmware: [at('14823.2.2.1.2.1.28.0'), fromDescription(/Version\s+([^\s,]+)/i)],
  },
  health: {
    cpuPercent: [at('14823.2.2.1.2.1.13.1.3', { pick: 'max' })],
    memoryTotalBytes: [
      at('14823.2.2.1.2.1.15.1.2', { pick: 'first', times: 1024 }),
      at('14823.2.2.1.1.1.11.1.2', { pick: 'first', times: 1024 }),
    ],
    memoryUsedBytes: [
      at('14823.2.2.1.2.1.15.1.3', { pick: 'first', times: 1024 }),
      at('14823.2.2.1.1.1.11.1.3', { pick: 'first', times: 1024 }),
    ],
    temperatureCelsius: [at('14823.2.2.1.2.1.10.0', { pattern: /(\d+(?:\.\d+)?)/ })],
    wirelessClients: [at('14823.2.2.1.1.3.2.0')],
  },
  lists: {
    accessPoints: [
      {
        name: 'wlsxWlanAPTable',
        entry: '14823.2.2.1.5.2.1.4.1',
        fields: {
          mac: { index: 0, numbers: 6 },
          address: { column: 2 },
          name: { column: 3 },
          serial: { column: 6 },
          model: { column: 13 },
          state: { column: 19, means: { 1: 'online', 2: 'offline' } },
          clients: { column: '14823.2.2.1.5.2.1.5.1.7', sum: true },
        },
      },
    ],
  },
}

const own = { pick: 'own', by: '14823.2.3.3.1.2.1.1.1' } as const
/** The radios' places are the same in every model: 5, 2.4 and where there is a third 6 GHz. */
const radioBands = { 0: '5g', 1: '2g', 2: '6g' } as const

/** Aruba Instant and AOS-10 access points (AI-AP-MIB): each tells of its whole cluster, so its own row is looked for. */
const arubaInstant: Vendor = {
  name: 'Aruba',
  enterprises: ['14823.1.2'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [at('14823.2.3.3.1.2.1.1.6', own), fromDescription(/MODEL:\s*([^\s,)]+)/i)],
    serial: [at('14823.2.3.3.1.2.1.1.4', own)],
    firmware: [fromDescription(/Version\s+([^\s,]+)/i)],
  },
  health: {
    cpuPercent: [at('14823.2.3.3.1.2.1.1.7', own)],
    memoryTotalBytes: [at('14823.2.3.3.1.2.1.1.10', own)],
    memoryFreeBytes: [at('14823.2.3.3.1.2.1.1.8', own)],
  },
  lists: {
    radios: [
      {
        name: 'aiRadioTable',
        entry: '14823.2.3.3.1.2.2.1',
        own: 0,
        fields: {
          band: { index: 6, means: radioBands },
          channel: { column: 4, pattern: /^(\d+)/ },
          txPowerDbm: { column: 5 },
          noiseDbm: { column: 6, times: -1 },
          utilizationPercent: { column: 8 },
          up: { column: 20 },
        },
      },
    ],
    bss: [
      {
        name: 'aiWlanTable',
        entry: '14823.2.3.3.1.2.3.1',
        own: 0,
        fields: { key: { column: 4 }, ssid: { column: 3 }, bssid: { column: 4 } },
      },
    ],
    stations: [
      {
        name: 'aiClientTable',
        entry: '14823.2.3.3.1.2.4.1',
        fields: { mac: [{ column: 1 }, { index: 0, numbers: 6 }], bss: { column: 2 } },
      },
    ],
    accessPoints: [
      {
        name: 'aiAccessPointTable',
        entry: '14823.2.3.3.1.2.1.1',
        fields: {
          mac: { column: 1 },
          name: { column: 2 },
          address: { column: 3 },
          serial: { column: 4 },
          model: { column: 6 },
          state: { column: 11, means: { 1: 'online', 2: 'offline' } },
        },
      },
    ],
  },
}

const fanStates = { 2: 'absent', 4: 'ok', 5: 'failed' } as const
const supplyStates = {
  1: 'ok',
  2: 'absent',
  3: 'failed',
  4: 'failed',
  5: 'failed',
  6: 'failed',
  7: 'warning',
  10: 'warning',
  12: 'absent',
  13: 'failed',
  14: 'failed',
  15: 'failed',
  16: 'failed',
  17: 'failed',
} as const

/** AOS-CX: ENTITY-MIB, and ARUBAWIRED-SYSTEMINFO- (shares), -FAN-, -POWERSUPPLY- and -TEMPSENSOR-MIB (thousandths of a degree). */
const arubaCx: Vendor = {
  name: 'HPE Aruba',
  enterprises: ['47196'],
  roles: [{ role: 'switch' }],
  facts: { firmware: [fromDescription(/\b([A-Z]{2}\.\d{2}\.\d{2}\.\d{4}\w*)/)] },
  health: {
    cpuPercent: [at('47196.4.1.1.3.22.1.0.1.1.3', { pick: 'max' })],
    memoryUsedPercent: [at('47196.4.1.1.3.22.1.0.1.1.4', { pick: 'max' })],
  },
  lists: {
    fans: [
      {
        name: 'arubaWiredFanTable',
        entry: '47196.4.1.1.3.11.5.1.1',
        fields: { state: { column: 10, means: fanStates } },
      },
    ],
    powerSupplies: [
      {
        name: 'arubaWiredPowerSupplyTable',
        entry: '47196.4.1.1.3.11.2.1.1',
        fields: { state: { column: 11, means: supplyStates }, watts: { column: 7 } },
      },
    ],
    temperatures: [
      {
        name: 'arubaWiredTempSensorTable',
        entry: '47196.4.1.1.3.11.3.1.1',
        fields: { celsius: { column: 7, times: 0.001, skipZero: true } },
      },
    ],
  },
}

export const arubaRows: readonly Vendor[] = [aruba, arubaCx, arubaInstant]
