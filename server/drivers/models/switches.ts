import { at, fromDescription, type Vendor } from './vendor'

const operatingStates = { 2: 'ok', 3: 'ok', 4: 'warning', 5: 'warning', 6: 'failed', 7: 'off' } as const

/** JUNIPER-MIB. */
const juniper: Vendor = {
  name: 'Juniper',
  enterprises: ['2636'],
  roles: [
    { role: 'firewall', description: /\b(srx|ssg|netscreen|vsrx)/i },
    { role: 'switch', description: /\b(ex|qfx)\d/i },
    { role: 'gateway', description: /\b(mx|acx|ptx|m|t|j)\d+/i },
  ],
  facts: {
    model: [fromDescription(/Juniper Networks, Inc\.\s+(\S+)/i)],
    serial: [at('2636.3.1.3.0')],
    firmware: [fromDescription(/JUNOS\s+([^\s,#]+)/i)],
  },
  health: {
    // Of firewalls the processors that forward (JUNIPER-SRX5000-SPU-MONITORING-MIB) come after the routing engine.
    cpuPercent: [at('2636.3.1.13.1.8', { pick: 'max', skipZero: true }), at('2636.3.39.1.12.1.1.1.4', { pick: 'max' })],
    memoryUsedPercent: [
      at('2636.3.1.13.1.11', { pick: 'max', skipZero: true }),
      at('2636.3.39.1.12.1.1.1.5', { pick: 'max' }),
    ],
    memoryTotalBytes: [at('2636.3.1.13.1.15', { pick: 'max', skipZero: true, times: 1048576 })],
    temperatureCelsius: [at('2636.3.1.13.1.7', { pick: 'max', skipZero: true })],
  },
  // The first number of the index is the kind of part: 2 a power supply, 4 a fan.
  lists: {
    fans: [
      {
        name: 'jnxOperatingTable',
        entry: '2636.3.1.13.1',
        only: { index: 0, is: [4] },
        fields: { name: { column: 5 }, state: { column: 6, means: operatingStates } },
      },
    ],
    powerSupplies: [
      {
        name: 'jnxOperatingTable',
        entry: '2636.3.1.13.1',
        only: { index: 0, is: [2] },
        fields: { name: { column: 5 }, state: { column: 6, means: operatingStates } },
      },
    ],
    temperatures: [
      {
        name: 'jnxOperatingTable',
        entry: '2636.3.1.13.1',
        fields: { name: { column: 5 }, celsius: { column: 7, skipZero: true } },
      },
    ],
  },
}

const moxa: Vendor = {
  name: 'Moxa',
  enterprises: ['8691'],
  roles: [{ role: 'switch', description: /switch|\bEDS-|\bIKS-|\bICS-/i }],
}

/** METEL industrial switches: 2G-2S and others (METEL-IPLOG-MIB). */
const metel: Vendor = {
  name: 'METEL',
  enterprises: ['38616'],
  facts: {
    model: [at('38616.1.1.1.0')],
    serial: [at('38616.1.1.2.0')],
    firmware: [fromDescription(/\bfw:(\S+?),/)],
  },
}

/** Ruijie: the name of the product tells what it is. */
const ruijie: Vendor = {
  name: 'Ruijie',
  enterprises: ['4881'],
  roles: [
    { role: 'gateway', description: /wireless (switch|controller)|\bWS\d{4}|-WS\b|-WS-|\bRSR|router|\bEG\d/i },
    { role: 'firewall', description: /\bWALL\b|firewall/i },
    { role: 'ap', description: /\bAP\d{3}|access point/i },
    { role: 'switch', description: /switch|\bS\d{4}/i },
  ],
}

export const switchesRows: readonly Vendor[] = [juniper, metel, moxa, ruijie]
