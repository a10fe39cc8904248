import { at, fromDescription, type Vendor } from './vendor'

/** airOS (UBNT-AirMAX-MIB, FROGFOOT-RESOURCES-MIB); memory comes in KiB. */
export const airos: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112.1.4', '10002.1'],
  kinds: [{ kind: 'ap' }],
  facts: {
    model: [{ oid: '1.2.840.10036.3.1.2.1.3', pick: 'first' }],
    firmware: [{ oid: '1.2.840.10036.3.1.2.1.4', pick: 'first' }],
  },
  health: {
    cpuPercent: [at('41112.1.4.8.3.0')],
    memoryTotalBytes: [at('10002.1.1.1.1.1.0', { times: 1024 })],
    memoryFreeBytes: [at('10002.1.1.1.1.2.0', { times: 1024 })],
    wirelessClients: [at('41112.1.4.5.1.15', { pick: 'sum' })],
  },
}

/** UniFi access points (UBNT-UniFi-MIB). */
export const unifi: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112.1.6'],
  kinds: [{ kind: 'ap' }],
  facts: { model: [at('41112.1.6.3.3.0')], firmware: [at('41112.1.6.3.6.0')] },
  health: { wirelessClients: [at('41112.1.6.1.2.1.8', { pick: 'sum' })] },
}

/** The same ones where they answer with the agent's number instead of their own. */
export const unifiByName: Vendor = {
  ...unifi,
  enterprises: ['8072', '41112', '10002.1'],
  description: /^(UAP|U6|U7|UMA|UBB|UWB)\b/,
  facts: {
    model: [at('41112.1.6.3.3.0'), fromDescription(/^(\S+)/)],
    firmware: [at('41112.1.6.3.6.0'), fromDescription(/^\S+\s+(\d+\.\S+)/)],
  },
}

/** Other products of Ubiquiti: EdgeRouter, UniFi gateways and switches. */
export const ubiquiti: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['41112'],
  kinds: [
    { kind: 'switch', description: /\b(USW|US-?\d|UniFi Switch|EdgeSwitch)/i },
    { kind: 'gateway', description: /\b(EdgeOS|EdgeRouter|USG|UDM|UXG)/i },
    { kind: 'ap', description: /\b(UAP|U6|U7)/i },
  ],
  facts: {
    model: [at('41112.1.5.1.2.0'), fromDescription(/^((?:USW|US|UAP|U6|U7|EdgeOS|EdgeRouter)[\w-]*)/i)],
    firmware: [at('41112.1.5.1.3.0'), fromDescription(/\b(v\d+\.[\w.+-]+)/i)],
  },
}

/** Ruckus ZoneDirector, Unleashed, SmartZone and stand-alone access points (RUCKUS-*-MIB). */
export const ruckus: Vendor = {
  name: 'Ruckus',
  enterprises: ['25053'],
  kinds: [{ kind: 'gateway', description: /zonedirector|smartzone|\b(ZD|SZ|vSZ)/i }, { kind: 'ap' }],
  facts: {
    model: [at('25053.1.1.2.1.1.1.1.0'), at('25053.1.2.1.1.1.1.9.0'), at('25053.1.15.1.1.1.1.9.0')],
    serial: [at('25053.1.1.2.1.1.1.2.0'), at('25053.1.2.1.1.1.1.15.0'), at('25053.1.15.1.1.1.1.15.0')],
    firmware: [
      at('25053.1.1.3.1.1.1.1.1.3', { pick: 'first' }),
      at('25053.1.2.1.1.1.1.18.0'),
      at('25053.1.15.1.1.1.1.18.0'),
    ],
  },
  health: {
    cpuPercent: [at('25053.1.1.11.1.1.1.1.0'), at('25053.1.2.1.1.1.15.13.0'), at('25053.1.15.1.1.1.15.13.0')],
    memoryUsedPercent: [at('25053.1.1.11.1.1.1.2.0'), at('25053.1.2.1.1.1.15.14.0'), at('25053.1.15.1.1.1.15.14.0')],
    wirelessClients: [at('25053.1.2.1.1.1.15.2.0'), at('25053.1.15.1.1.1.15.2.0')],
  },
}

export const grandstream: Vendor = {
  name: 'Grandstream',
  enterprises: ['42397'],
  kinds: [
    { kind: 'ap', description: /GWN7[56]\d\d/i },
    { kind: 'switch', description: /GWN78\d\d/i },
    { kind: 'gateway', description: /GWN70\d\d|router/i },
  ],
  facts: { model: [fromDescription(/\b(GWN\d{4}\w*)/i)] },
}
