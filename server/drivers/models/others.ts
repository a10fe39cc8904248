import { answering, at, fromDescription, type Vendor } from './vendor'

/** PowerNet-MIB: smart UPS, rack PDU, environment monitors. */
const apc: Vendor = {
  name: 'APC',
  enterprises: ['318'],
  roles: [{ role: 'other' }],
  facts: {
    model: [at('318.1.1.1.1.1.1.0'), at('318.1.1.12.1.5.0'), fromDescription(/MN:\s*(\S+)/)],
    serial: [at('318.1.1.1.1.2.3.0'), at('318.1.1.12.1.6.0'), fromDescription(/SN:\s*(\S+)/)],
    firmware: [at('318.1.1.1.1.2.1.0'), at('318.1.1.12.1.3.0'), fromDescription(/PF:\s*(\S+)/)],
    hardware: [fromDescription(/HR:\s*(\S+)/)],
  },
}

/** DPtech: the name of the product tells what it is; DPX and ADX carry services for others and are load balancers, too. */
const dptech: Vendor = {
  name: 'DPtech',
  enterprises: ['31648'],
  roles: [
    { role: 'firewall', description: /\bFW\d{3,4}|firewall/i },
    { role: 'switch', description: /\bLSW\d{4}/i },
    { role: 'other' },
  ],
  facts: { model: [fromDescription(/\b((?:DPX|ADX|FW|LSW|IPS|UAG)\d{3,4}[\w-]*)/)] },
}

/** IBM's blade chassis: its manager forwards packets and is no gateway. */
const bladeCenter: Vendor = { name: 'IBM', enterprises: ['2.3.51'], roles: [{ role: 'other' }] }

/** Synology DiskStation: its number is net-snmp's. */
const synology: Vendor = {
  name: 'Synology',
  enterprises: ['6574'],
  answers: ['6574.1'],
  roles: [{ role: 'other' }],
  facts: { model: [at('6574.1.5.1.0')], serial: [at('6574.1.5.2.0')], firmware: [at('6574.1.5.3.0')] },
  health: { temperatureCelsius: [at('6574.1.2.0')] },
}

/** Plain net-snmp: what it runs on is not in its number. */
const netSnmp: Vendor = {
  enterprises: ['8072', '2021'],
  facts: { kernel: [fromDescription(/^(?:Linux|FreeBSD) \S+ (\d\S+)/)] },
}

const printerModel = { oid: '1.3.6.1.2.1.43.5.1.1.16', pick: 'first' } as const
const printerSerial = { oid: '1.3.6.1.2.1.43.5.1.1.17', pick: 'first' } as const
/** The printer among the host's devices, where Printer-MIB has no name. */
const deviceModel = { oid: '1.3.6.1.2.1.25.3.2.1.3.1' } as const

/** Printer-MIB, HOST-RESOURCES-MIB. */
const printer = (name: string, ...enterprises: string[]): Vendor => ({
  name,
  enterprises,
  roles: [{ role: 'other' }],
  facts: { model: [printerModel, deviceModel], serial: [printerSerial] },
})

const printers: readonly Vendor[] = [
  printer('HP', '11.2.3.9'),
  printer('Brother', '2435'),
  printer('Canon', '1602'),
  printer('Epson', '1248'),
  printer('Konica Minolta', '18334'),
  printer('Kyocera', '1347'),
  printer('Lexmark', '641'),
  printer('OKI', '2001'),
  printer('Ricoh', '367'),
  printer('Samsung', '236'),
  printer('Sharp', '2385'),
  printer('Toshiba', '1129'),
  printer('Xerox', '253'),
  printer('Zebra', '10642'),
]

/** Grandstream's networking; its telephones and adapters are told apart by name. */
const grandstream: Vendor = {
  name: 'Grandstream',
  enterprises: ['42397'],
  roles: [
    { role: 'ap', description: /GWN7[56]\d\d/i },
    { role: 'switch', description: /GWN78\d\d/i },
    { role: 'gateway', description: /GWN70\d\d|GCC\d|router/i },
    { role: 'other' },
  ],
  facts: { model: [fromDescription(/\b((?:GWN|HT|GXP|GXV|GRP|GXW|UCM|GCC|WP|DP)\d{3,4}\w*)/)] },
  health: { temperatureCelsius: [at('42397.1.4.12.0')] },
}
const grandstreamAnswering = answering(grandstream, '42397')

/** SNR (NAG-MIB): the older table of memory always counts octets, the newer scalars on some models not. */
const snr: Vendor = {
  name: 'SNR',
  enterprises: ['40418'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [fromDescription(/^(SNR-\S+) Device/), fromDescription(/\b(SNR-\S+)/)],
    serial: [fromDescription(/Serial No\.?:\s*(\S+)/i)],
    firmware: [fromDescription(/SoftWare Version\s+(\S+)/i)],
  },
  health: {
    cpuPercent: [at('40418.7.100.1.8.1.11', { pick: 'max' }), at('40418.7.100.1.11.10.0')],
    memoryTotalBytes: [at('40418.7.100.1.8.1.7', { pick: 'first' }), at('40418.7.100.1.11.6.0')],
    memoryUsedBytes: [at('40418.7.100.1.8.1.8', { pick: 'first' }), at('40418.7.100.1.11.7.0')],
    temperatureCelsius: [at('40418.7.100.1.8.1.10', { pick: 'max', skipZero: true }), at('40418.7.100.1.11.9.0')],
  },
  lists: {
    fans: [
      {
        name: 'sysFanTable',
        entry: '40418.7.100.1.12.1',
        fields: { state: { column: 3, means: { 0: 'ok', 1: 'failed' } } },
      },
    ],
  },
}

/** Netonix WISP switches (NETONIX-SWITCH-MIB). */
const netonix: Vendor = {
  name: 'Netonix',
  enterprises: ['46242'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [fromDescription(/Netonix (.*)/)],
    firmware: [at('46242.1.0', { pattern: /^(.*\d)/ })],
  },
  health: { temperatureCelsius: [at('46242.3.1.3', { pick: 'max', skipZero: true })] },
  lists: {
    fans: [{ name: 'fanTable', entry: '46242.2.1', fields: { rpm: { column: 2, skipZero: true } } }],
    temperatures: [
      {
        name: 'tempTable',
        entry: '46242.3.1',
        fields: { name: { column: 2 }, celsius: { column: 3, skipZero: true } },
      },
    ],
    poePorts: [
      {
        name: 'poeStatusTable',
        entry: '46242.5.1',
        fields: {
          enabled: { column: 2, pattern: /^(Off|\d+V)/, means: { Off: false, '24V': true, '48V': true, '54V': true } },
        },
      },
    ],
  },
}

export const othersRows: readonly Vendor[] = [
  apc,
  bladeCenter,
  dptech,
  grandstream,
  grandstreamAnswering,
  netonix,
  netSnmp,
  ...printers,
  snr,
  synology,
]
