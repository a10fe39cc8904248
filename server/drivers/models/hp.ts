import { at, chassis, fromDescription, type Vendor } from './vendor'

/** ProCurve and ArubaOS-Switch: STATISTICS-MIB, NETSWITCH-MIB, SEMI-MIB (hpHttpMg). */
export const procurve: Vendor = {
  name: 'HP',
  enterprises: ['11.2.3.7.11', '11.2.3.7.5'],
  kinds: [{ kind: 'switch' }],
  facts: {
    model: [fromDescription(/((?:ProCurve|HP|Aruba)\s+\S+\s+.*?),\s*revision/i)],
    serial: [at('11.2.36.1.1.2.9.0')],
    partNumber: [at('11.2.36.1.1.2.5.0')],
    firmware: [at('11.2.36.1.1.2.6.0'), fromDescription(/revision\s+([^\s,]+)/i)],
    boot: [at('11.2.36.1.1.2.8.0'), fromDescription(/ROM\s+([^\s,(]+)/)],
  },
  health: {
    cpuPercent: [at('11.2.14.11.5.1.9.6.1.0')],
    memoryTotalBytes: [at('11.2.14.11.5.1.1.2.1.1.1.5', { pick: 'first' })],
    memoryFreeBytes: [at('11.2.14.11.5.1.1.2.1.1.1.6', { pick: 'first' })],
  },
}

/** Aruba controllers (WLSX-SYSTEMEXT-MIB, WLSX-SWITCH-MIB, WLSX-WLAN-MIB). */
export const aruba: Vendor = {
  name: 'Aruba',
  enterprises: ['14823'],
  kinds: [
    { kind: 'ap', objectId: '14823.1.2' },
    { kind: 'switch', description: /switch/i },
    { kind: 'gateway', objectId: '14823.1.1' },
  ],
  facts: {
    model: [
      at('14823.2.2.1.2.1.3.0'),
      at('14823.2.3.3.1.2.1.1.6', { pick: 'first' }),
      fromDescription(/MODEL:\s*([^\s,)]+)/i),
    ],
    serial: [at('14823.2.2.1.2.1.29.0'), at('14823.2.3.3.1.2.1.1.4', { pick: 'first' })],
    firmware: [at('14823.2.2.1.2.1.28.0'), fromDescription(/Version\s+([^\s,]+)/i)],
  },
  health: {
    cpuPercent: [at('14823.2.2.1.2.1.13.1.3', { pick: 'max' }), at('14823.2.3.3.1.2.1.1.7', { pick: 'max' })],
    memoryTotalBytes: [at('14823.2.2.1.2.1.15.1.2', { pick: 'first', times: 1024 })],
    memoryUsedBytes: [at('14823.2.2.1.2.1.15.1.3', { pick: 'first', times: 1024 })],
    wirelessClients: [at('14823.2.2.1.1.3.2.0')],
  },
}

/** Comware: H3C, 3Com and HPE FlexNetwork (HH3C-ENTITY-EXT-MIB), below H3C's number and below Huawei's, where it began. */
export const comware: Vendor = {
  name: 'H3C',
  enterprises: ['25506', '2011.10', '43'],
  kinds: [
    { kind: 'firewall', description: /firewall|secpath|secblade/i },
    { kind: 'switch', description: /switch/i },
    { kind: 'gateway', description: /\b(MSR|router|SR\d)/i },
  ],
  facts: {
    model: [chassis, fromDescription(/\b((?:H3C|HPE?|3Com)\s+(?:Switch\s+)?(?!Comware|Switch)\S+)/)],
    serial: [at('25506.2.6.1.2.1.1.2', { pick: 'first' }), at('2011.10.2.6.1.2.1.1.2', { pick: 'first' })],
    firmware: [
      fromDescription(/Software Version\s+([^\n]*?)(?:\s*\n|$)/i),
      fromDescription(/Version\s+([^\n]*?)(?:\s*\n|$)/i),
    ],
  },
  health: {
    cpuPercent: [
      at('25506.2.6.1.1.1.1.6', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.6', { pick: 'max', skipZero: true }),
    ],
    memoryUsedPercent: [
      at('25506.2.6.1.1.1.1.8', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.8', { pick: 'max', skipZero: true }),
    ],
    memoryTotalBytes: [
      at('25506.2.6.1.1.1.1.10', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.10', { pick: 'max', skipZero: true }),
    ],
    temperatureCelsius: [
      at('25506.2.6.1.1.1.1.12', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.12', { pick: 'max', skipZero: true }),
    ],
  },
}

/** VRP: HUAWEI-ENTITY-EXTENT-MIB. */
export const huawei: Vendor = {
  name: 'Huawei',
  enterprises: ['2011'],
  kinds: [
    { kind: 'ap', description: /\bAP\d{4}|AirEngine/i },
    { kind: 'firewall', description: /\b(USG|Eudemon)/i },
    { kind: 'switch', objectId: '2011.2.23' },
    { kind: 'gateway', description: /\b(AR|NE)\d+/ },
  ],
  facts: {
    model: [
      fromDescription(/^\s*((?!Huawei|VRP)[A-Z][\w.-]*\d[\w.-]*)\s*$/im),
      fromDescription(/\b((?:S|CE|AR|AP|USG|NE|AC)\d[\w-]+)/),
    ],
    firmware: [fromDescription(/(V\d{3}R\d{3}\w*)/), fromDescription(/Version\s+([\d.]+)/i)],
  },
  health: {
    cpuPercent: [at('2011.5.25.31.1.1.1.1.5', { pick: 'max', skipZero: true })],
    memoryUsedPercent: [at('2011.5.25.31.1.1.1.1.7', { pick: 'max', skipZero: true })],
    memoryTotalBytes: [at('2011.5.25.31.1.1.1.1.9', { pick: 'max', skipZero: true })],
    temperatureCelsius: [at('2011.5.25.31.1.1.1.1.11', { pick: 'max', skipZero: true })],
  },
}
