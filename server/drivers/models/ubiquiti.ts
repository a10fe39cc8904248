import { answering, at, fromDescription, type Source, type Vendor } from './vendor'

const hostProcessors: Source = { oid: '1.3.6.1.2.1.25.3.3.1.2', pick: 'average' }

/** FROGFOOT-RESOURCES-MIB; memory comes in KiB, the processor as its average of a minute. */
const frogfoot = {
  memoryTotalBytes: [at('10002.1.1.1.1.1.0', { times: 1024 })],
  memoryFreeBytes: [at('10002.1.1.1.1.2.0', { times: 1024 })],
}
const frogfootProcessor = at('10002.1.1.1.4.2.1.3.1')

/** airOS (UBNT-AirMAX-MIB), its processor in hundredths; airFiber (UBNT-AirFIBER-MIB) has the same number. */
const airos: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112.1.4', '10002.1'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [{ oid: '1.2.840.10036.3.1.2.1.3', pick: 'first' }],
    firmware: [at('41112.1.3.2.1.40', { pick: 'first' }), { oid: '1.2.840.10036.3.1.2.1.4', pick: 'first' }],
  },
  health: {
    ...frogfoot,
    cpuPercent: [at('41112.1.4.8.3.0', { times: 0.01 }), hostProcessors, frogfootProcessor],
    temperatureCelsius: [
      at('41112.1.4.8.4.0'),
      at('41112.1.3.2.1.8', { pick: 'max' }),
      at('41112.1.3.2.1.10', { pick: 'max' }),
    ],
  },
}

/** airFiber 5XHD and LTU (UBNT-AFLTU-MIB). */
const ltu: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112.1.10'],
  answers: ['41112.1.10'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [at('41112.1.10.1.3.2.0')],
    firmware: [at('41112.1.10.1.3.4.0', { pattern: /v(\d+\.\d[\w.-]*)/ })],
  },
  health: { cpuPercent: [at('41112.1.10.1.3.6.0')], memoryUsedPercent: [at('41112.1.10.1.3.5.0')] },
  lists: {
    radios: [
      {
        scalars: [
          {
            name: 'radio 1',
            fields: {
              frequency: { column: '41112.1.10.1.2.2.0' },
              widthMhz: { column: '41112.1.10.1.2.4.0' },
            },
          },
        ],
      },
    ],
    stations: [
      {
        name: 'afLTUStationTable',
        entry: '41112.1.10.1.4.1',
        // At the customer's end it lists the access point.
        unless: { scalar: '41112.1.10.1.2.1.0', is: [1] },
        fields: { mac: [{ column: 11 }, { index: 0, numbers: 6 }], signalDbm: { column: 5 } },
      },
    ],
  },
}

/** airFiber 60 and Wave (UI-AF60-MIB), with Ubiquiti's bare number. */
const af60: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112'],
  answers: ['41112.1.11'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [at('41112.1.11.1.2.2', { pick: 'first' })],
    firmware: [at('41112.1.11.1.2.4', { pick: 'first', pattern: /v(\d+\.\d+\.\d+)/ })],
  },
  health: {
    cpuPercent: [at('41112.1.11.1.2.6', { pick: 'first' })],
    temperatureCelsius: [at('41112.1.11.1.2.5', { pick: 'first' })],
  },
}

/** UniFi access points (UBNT-UniFi-MIB). */
const unifi: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112.1.6'],
  roles: [{ role: 'gateway', description: /^U-LTE/ }, { role: 'ap' }],
  facts: { model: [at('41112.1.6.3.3.0')], firmware: [at('41112.1.6.3.6.0')] },
  health: {
    ...frogfoot,
    cpuPercent: [hostProcessors, frogfootProcessor],
    wirelessClients: [at('41112.1.6.1.2.1.8', { pick: 'sum' })],
  },
}

/** The same ones where they answer with the agent's number instead of their own. */
const unifiByName: Vendor = {
  ...unifi,
  enterprises: ['8072', '41112', '10002.1'],
  description: /^(UAP|U6|U7|E7|UK|UMA|UBB|UWB|U-LTE)\b/,
  facts: {
    model: [at('41112.1.6.3.3.0'), fromDescription(/^(\S+)/)],
    firmware: [at('41112.1.6.3.6.0'), fromDescription(/^\S+\s+(\d+\.\S+)/)],
  },
}

const unifiAnswering = answering(unifi, '41112.1.6')

const gatewayNames = 'UDM|UCG|UDR|UDW|UXG|USG|EFG|UX'

/** EdgeRouter and UniFi gateways (UBNT-EdgeMAX-MIB). */
const ubiquiti: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112'],
  roles: [
    { role: 'switch', description: /\b(USW|US-?\d|UniFi Switch|EdgeSwitch|EdgePoint Switch)/i },
    { role: 'gateway', description: new RegExp(`\\b(EdgeOS|EdgeRouter|${gatewayNames})`, 'i') },
    { role: 'ap', description: /\b(UAP|U6|U7)/i },
  ],
  facts: {
    model: [
      at('41112.1.5.1.2.0'),
      fromDescription(/^(EdgeRouter[^,]*)/i),
      fromDescription(/^((?:USW|US|UAP|U6|U7)-[\w-]*)/i),
      fromDescription(new RegExp(`\\b((?:${gatewayNames})-?[\\w-]*)`)),
    ],
    firmware: [
      at('41112.1.5.1.3.0'),
      fromDescription(/\b(v\d+\.[\w.+-]+)/i),
      fromDescription(new RegExp(`\\b(?:${gatewayNames})\\S*\\s+(\\d+\\.\\d+\\.[\\w.]+)`)),
    ],
  },
}

/** UniFi gateways and switches that answer with net-snmp's number. */
const unifiGatewayByName: Vendor = {
  ...ubiquiti,
  enterprises: ['8072'],
  // A bare USG is another maker's, too.
  description: /^(Ubiquiti (UniFi )?|UniFi )?(UDM|UCG|UDR|UDW|UXG|EFG|USG-(3P|4P|PRO|XG))\b/i,
}
const unifiSwitchByName: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['8072', '41112', '10002'],
  description: /^(UBNT )?(USW?[ -]|EdgeSwitch|EdgePoint)/,
  roles: [{ role: 'switch' }],
  facts: {
    model: [fromDescription(/^(?:UBNT )?((?:USW?-|EdgeSwitch|EdgePoint)[\w -]*?)(?:,| firmware| v?\d+\.\d|$)/)],
    firmware: [
      fromDescription(/^(?:UBNT )?(?:USW?|Edge)[\w -]*?(?:, ?(?:firmware )?| firmware | )v?(\d+\.\d[\w.+-]*)/),
    ],
  },
}
/** UniFi's power: neither a switch nor a gateway. */
const unifiPower: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['8072', '41112'],
  description: /^USP-/,
  roles: [{ role: 'other' }],
  facts: { model: [fromDescription(/^(\S+)/)], firmware: [fromDescription(/^\S+\s+(\d+\.\S+)/)] },
}
/** EdgeSwitch X: the number of its chip's maker. */
const edgeswitchX: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['27282.3.2.10'],
  description: /^(Linux UBNT|RTL8380)/,
  roles: [{ role: 'switch' }],
}

export const ubiquitiRows: readonly Vendor[] = [
  af60,
  airos,
  edgeswitchX,
  ltu,
  ubiquiti,
  unifi,
  unifiAnswering,
  unifiByName,
  unifiGatewayByName,
  unifiPower,
  unifiSwitchByName,
]
