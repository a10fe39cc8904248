import { at, fromDescription, type Vendor } from './vendor'

// FortiGate names its sensors freely; of their words these are the ones that tell what is measured.
const sensorName = /(Temp|DTS|Core|fan)/i
const sensorTemperatures = ['Temp', 'TEMP', 'temp', 'DTS', 'Core', 'CORE', 'core'] as const

/** FORTINET-FORTIGATE-MIB; memory comes in KiB, disks in MiB. */
const fortinet: Vendor = {
  name: 'Fortinet',
  enterprises: ['12356'],
  roles: [{ role: 'firewall', objectId: '12356.101' }],
  facts: { serial: [at('12356.100.1.1.1.0')], firmware: [at('12356.101.4.1.1.0')] },
  health: {
    cpuPercent: [at('12356.101.4.1.3.0')],
    memoryUsedPercent: [at('12356.101.4.1.4.0')],
    memoryTotalBytes: [at('12356.101.4.1.5.0', { times: 1024 })],
    storageUsedBytes: [at('12356.101.4.1.6.0', { times: 1048576 })],
    storageTotalBytes: [at('12356.101.4.1.7.0', { times: 1048576 })],
  },
  lists: {
    temperatures: [
      {
        name: 'fgHwSensorTable',
        entry: '12356.101.4.3.2.1',
        only: { column: 2, pattern: sensorName, is: sensorTemperatures },
        fields: { name: { column: 2 }, celsius: { column: 3, skipZero: true } },
      },
    ],
    fans: [
      {
        name: 'fgHwSensorTable',
        entry: '12356.101.4.3.2.1',
        only: { column: 2, pattern: sensorName, is: ['Fan', 'FAN', 'fan'] },
        fields: { name: { column: 2 }, rpm: { column: 3 } },
      },
    ],
    powerSupplies: [
      {
        name: 'fgHwSensorTable',
        entry: '12356.101.4.3.2.1',
        only: { column: 2, pattern: /^PSU? ?\d+ (Status)$/, is: ['Status'] },
        fields: { name: { column: 2, pattern: /^(PSU? ?\d+)/ }, state: { column: 4, means: { 0: 'ok', 1: 'failed' } } },
      },
    ],
    accessPoints: [
      {
        name: 'fgWcWtpSessionTable',
        entry: '12356.101.14.4.4.1',
        fields: {
          name: { column: '12356.101.14.4.3.1.3' },
          state: { column: 7, means: { 1: 'offline', 2: 'online', 3: 'pending', 4: 'pending', 5: 'pending' } },
          model: { column: 12 },
          firmware: { column: 14 },
          clients: { column: 17 },
        },
      },
    ],
  },
}

/** FORTINET-FORTISWITCH-MIB; memory comes in KiB. */
const fortiswitch: Vendor = {
  name: 'Fortinet',
  enterprises: ['12356.106'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [at('12356.106.4.1.1.0', { pattern: /^((?:FortiSwitch|FS|S)[\w-]*\d\w*(?:-[A-Z]+)*)[\s-]v/ })],
    serial: [at('12356.100.1.1.1.0')],
    firmware: [at('12356.106.4.1.1.0', { pattern: /v(\d+\.\d[\d.]*)/ })],
  },
  health: {
    cpuPercent: [at('12356.106.4.1.2.0')],
    memoryUsedBytes: [at('12356.106.4.1.3.0', { times: 1024 })],
    memoryTotalBytes: [at('12356.106.4.1.4.0', { times: 1024 })],
  },
}

/** Numbers of the models below 12356.120.10: three digits, kind of product, generation. */
const fortiapNames: readonly (readonly [number: string, model: string])[] = [
  ['22111', 'FAP-221E'],
  ['22121', 'FAP-U221EV'],
  ['22131', 'FAP-S221E'],
  ['22211', 'FAP-222E'],
  ['22311', 'FAP-223E'],
  ['22321', 'FAP-U223EV'],
  ['22331', 'FAP-S223E'],
  ['22411', 'FAP-224E'],
  ['23111', 'FAP-231E'],
  ['23112', 'FAP-231F'],
  ['23122', 'FAP-U231F'],
  ['23412', 'FAP-234F'],
  ['23422', 'FAP-U234F'],
  ['23912', 'FAP-23JF'],
  ['24921', 'FAP-U24JEV'],
  ['24941', 'FAP-C24JE'],
  ['32111', 'FAP-321E'],
  ['32121', 'FAP-U321EV'],
  ['32321', 'FAP-U323EV'],
  ['42111', 'FAP-421E'],
  ['42121', 'FAP-U421EV'],
  ['42131', 'FAP-S421E'],
  ['42221', 'FAP-U422EV'],
  ['42231', 'FAP-S422E'],
  ['42311', 'FAP-423E'],
  ['42321', 'FAP-U423EV'],
  ['42331', 'FAP-S423E'],
  ['43112', 'FAP-431F'],
  ['43122', 'FAP-U431F'],
  ['43212', 'FAP-432F'],
  ['43222', 'FAP-U432F'],
  ['43312', 'FAP-433F'],
  ['43322', 'FAP-U433F'],
  ['83112', 'FAP-831F'],
]
const fortiapModels = Object.fromEntries(fortiapNames.map(([number, model]) => [`12356.120.10.${number}`, model]))

/** FORTINET-FORTIAP-MIB. */
const fortiap: Vendor = {
  name: 'Fortinet',
  enterprises: ['12356.120'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [{ models: fortiapModels }, fromDescription(/\b(F(?:AP|P)-?[SUC]?\d{2,3}\w*)/)],
    serial: [at('12356.120.1.2.0')],
    firmware: [at('12356.120.1.1.0', { pattern: /(?:^|-)(v?\d+\.\d.*)$/ })],
    boot: [at('12356.120.1.6.0')],
    partNumber: [at('12356.120.1.8.0')],
  },
  health: {
    cpuPercent: [at('12356.120.3.41.0')],
    memoryUsedPercent: [at('12356.120.3.42.0')],
    temperatureCelsius: [at('12356.120.3.44.0')],
    wirelessClients: [at('12356.120.3.43.0')],
  },
  lists: {
    radios: [
      {
        name: 'fapRadioTable',
        entry: '12356.120.4.1.1',
        fields: {
          up: { column: 2, means: { 0: true, 1: false, 4: false } },
          country: { column: 3 },
          band: {
            column: 6,
            means: { 0: '5g', 1: '2g', 2: '2g', 3: '2g', 5: '2g', 6: '5g', 8: '2g', 9: '5g' },
          },
          txPowerDbm: { column: 10 },
          widthMhz: { column: 12, means: { 0: '20', 1: '40', 2: '80', 3: '160' } },
          channel: { column: 14 },
        },
      },
    ],
    bss: [
      {
        name: 'fapVapTable',
        entry: '12356.120.7.1.1',
        fields: {
          radio: { index: 0 },
          bssid: { column: 3 },
          ssid: { column: 4 },
          up: { column: 6, means: { 0: false, 1: true } },
          clients: { column: 45 },
        },
      },
    ],
  },
}

export const fortinetRows: readonly Vendor[] = [fortiap, fortinet, fortiswitch]
