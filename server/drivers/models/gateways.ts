import { answering, at, fromDescription, type Vendor } from './vendor'

/** MIKROTIK-MIB; temperatures come in tenths. Processor and memory are in HOST-RESOURCES-MIB. */
const mikrotik: Vendor = {
  name: 'MikroTik',
  enterprises: ['14988'],
  roles: [
    { role: 'switch', description: /\b(CRS|CSS)\d/i },
    {
      role: 'ap',
      description: /\b(?:RB)?(c?AP|wAP|hAP|SXT|LHG|LDF|mANT|NetMetal|Groove|BaseBox|Audience|DISC|QRT|Metal)/,
    },
    { role: 'gateway' },
  ],
  facts: {
    model: [fromDescription(/^RouterOS\s+(.+)$/i)],
    serial: [at('14988.1.1.7.3.0')],
    firmware: [at('14988.1.1.4.4.0')],
    boot: [at('14988.1.1.7.4.0')],
  },
  health: {
    temperatureCelsius: [at('14988.1.1.3.10.0', { times: 0.1 }), at('14988.1.1.3.11.0', { times: 0.1 })],
    wirelessClients: [at('14988.1.1.1.3.1.6', { pick: 'sum' })],
  },
  lists: {
    // RouterOS 7 lists every sensor with its unit, 6 had a scalar each.
    temperatures: [
      {
        name: 'mtxrGaugeTable',
        entry: '14988.1.1.3.100.1',
        only: { column: 4, is: [1] },
        fields: { name: { column: 2 }, celsius: { column: 3, skipZero: true } },
      },
    ],
    fans: [
      {
        name: 'mtxrGaugeTable',
        entry: '14988.1.1.3.100.1',
        only: { column: 4, is: [2] },
        fields: { name: { column: 2 }, rpm: { column: 3 } },
      },
      {
        scalars: [
          { name: 'fan1', fields: { rpm: { column: '14988.1.1.3.17.0' } } },
          { name: 'fan2', fields: { rpm: { column: '14988.1.1.3.18.0' } } },
        ],
      },
    ],
    powerSupplies: [
      {
        scalars: [
          { name: 'psu1', fields: { state: { column: '14988.1.1.3.15.0', means: { 0: 'failed', 1: 'ok' } } } },
          { name: 'psu2', fields: { state: { column: '14988.1.1.3.16.0', means: { 0: 'failed', 1: 'ok' } } } },
        ],
      },
    ],
  },
}

/** Firmware by its number: where the name alone follows there is none. */
const vyatta: Vendor = {
  name: 'Vyatta',
  enterprises: ['30803', '44641'],
  roles: [{ role: 'firewall', description: /\bNGFW\b|firewall/i }, { role: 'gateway' }],
  facts: { firmware: [fromDescription(/^(?:Vyatta|VyOS)\s+(?:VyOS\s+)?(?!unknown|VyOS)(\S+)/i)] },
}

/** DrayTek tells everything in sysDescr. */
const draytek: Vendor = {
  name: 'DrayTek',
  enterprises: ['7367'],
  roles: [
    { role: 'ap', description: /VigorAP|AP Model/i },
    { role: 'switch', description: /VigorSwitch/i },
    { role: 'gateway' },
  ],
  facts: {
    model: [fromDescription(/(?:Router|AP|Switch) Model:\s*([^,]+)/i), fromDescription(/\b(Vigor\w+)/)],
    firmware: [fromDescription(/Version:\s*([^,\s]+)/i)],
  },
  health: { memoryUsedPercent: [at('7367.3.7.0')] },
}

/** RutOS (TELTONIKA-MIB, and the tree of version 7): serial numbers have ten digits, product codes start with the model. */
const teltonika: Vendor = {
  name: 'Teltonika',
  enterprises: ['48690'],
  roles: [{ role: 'switch', description: /\bTSW\d/ }, { role: 'ap', description: /\bTAP\d/ }, { role: 'gateway' }],
  facts: {
    model: ['3', '8'].map(number =>
      at(`48690.1.${number}.0`, { pattern: /^((?:RUT|TRB|TSW|TAP|OTD|TCR|DAP|ATRM)\w{3})/ }),
    ),
    serial: ['1', '5'].map(number => at(`48690.1.${number}.0`, { pattern: /^(\d{10})$/ })),
    firmware: ['1.6', '2.14'].map(rest => at(`48690.${rest}.0`, { pattern: /^(\w+_R_[\d.]+)/ })),
  },
  // RutOS 7 counts the processor, and its modems tell their temperatures by rows.
  health: {
    cpuPercent: [at('48690.1.8.0', { pattern: /^(\d+(?:\.\d+)?)%?$/ })],
    temperatureCelsius: [
      at('48690.2.9.0', { times: 0.1 }),
      at('48690.2.2.1.17', { pick: 'max', skipZero: true, times: 0.1 }),
    ],
  },
}
const teltonikaAnswering = answering(teltonika, '48690')

/** ASUS' own firmware and Merlin's, with net-snmp. */
const asus: Vendor = {
  name: 'ASUS',
  enterprises: ['8072'],
  description: /\b(RT|GT|TUF|ZenWiFi)-(A[CX]|N|BE)E?\d/,
  roles: [{ role: 'gateway' }],
  facts: {
    model: [fromDescription(/\b((?:RT|GT|TUF|ZenWiFi)-\w+)/)],
    kernel: [fromDescription(/^Linux \S+ (\S+)/)],
  },
}

/** TP-Link's DSL and home routers. */
const tplinkRouter: Vendor = {
  name: 'TP-Link',
  enterprises: ['16972'],
  roles: [{ role: 'gateway' }],
  facts: { model: [fromDescription(/\b((?:TD|TL|VR|MR|AX|EX|XR|Archer)[- ]?[A-Z]*\d[\w-]*)/)] },
}

/** The letter of the product tells what it is. */
const meraki: Vendor = {
  name: 'Meraki',
  enterprises: ['29671'],
  roles: [
    { role: 'switch', description: /\bMS\d|switch/i },
    { role: 'ap', description: /\b(MR|CW)\d/ },
    { role: 'firewall', description: /\b(v?MX\d*|Z\d)|security appliance/i },
    { role: 'gateway', description: /\bMG\d/ },
  ],
  facts: { model: [fromDescription(/\b((?:MS|MR|MX|MG|MV|CW|Z)\d[\w-]*)/)] },
}

/** LANCOM tells everything in sysDescr: "LANCOM 1781VAW 10.12.0147RU3 / 11.07.2018 4001234567890123". */
const lancom: Vendor = {
  name: 'LANCOM',
  enterprises: ['2356'],
  roles: [
    { role: 'ap', description: /\b(L-\d|LN-|LW-|LX-|OAP|OW-)/ },
    { role: 'switch', description: /\b(GS|XS|YS|CS)-\d|switch/i },
    { role: 'firewall', description: /\bUF-\d/ },
    { role: 'gateway' },
  ],
  facts: {
    model: [fromDescription(/^(LANCOM .+?) \d+\.\d+\.\d/)],
    firmware: [fromDescription(/ (\d+\.\d+\.\d\w*) \//)],
    serial: [fromDescription(/\/ \d\d\.\d\d\.\d{4} (\d{12,})/)],
  },
}

/** Peplink and Pepwave (DEVICE-MIB), below either number. */
const peplink: Vendor = {
  name: 'Peplink',
  enterprises: ['23695', '27662'],
  roles: [
    { role: 'ap', description: /\bAP (One|Pro)/i },
    { role: 'switch', description: /\bswitch\b/i },
    { role: 'gateway' },
  ],
  facts: {
    model: [at('23695.200.1.1.1.1.1.0'), at('27662.200.1.1.1.1.1.0')],
    serial: [at('23695.200.1.1.1.1.2.0'), at('27662.200.1.1.1.1.2.0')],
    firmware: [at('23695.200.1.1.1.1.3.0'), at('27662.200.1.1.1.1.3.0')],
  },
}

export const gatewaysRows: readonly Vendor[] = [
  asus,
  draytek,
  lancom,
  meraki,
  mikrotik,
  peplink,
  teltonika,
  teltonikaAnswering,
  tplinkRouter,
  vyatta,
]
