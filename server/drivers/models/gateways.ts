import { at, fromDescription, type Vendor } from './vendor'

/** FORTINET-FORTIGATE-MIB; memory comes in KiB, disks in MiB. */
export const fortinet: Vendor = {
  name: 'Fortinet',
  enterprises: ['12356'],
  kinds: [
    { kind: 'firewall', objectId: '12356.101' },
    { kind: 'switch', objectId: '12356.106' },
    { kind: 'ap', objectId: '12356.120' },
  ],
  facts: { serial: [at('12356.100.1.1.1.0')], firmware: [at('12356.101.4.1.1.0')] },
  health: {
    cpuPercent: [at('12356.101.4.1.3.0')],
    memoryUsedPercent: [at('12356.101.4.1.4.0')],
    memoryTotalBytes: [at('12356.101.4.1.5.0', { times: 1024 })],
    storageUsedBytes: [at('12356.101.4.1.6.0', { times: 1048576 })],
    storageTotalBytes: [at('12356.101.4.1.7.0', { times: 1048576 })],
  },
}

/** PAN-COMMON-MIB; processor and memory are in HOST-RESOURCES-MIB. */
export const paloalto: Vendor = {
  name: 'Palo Alto Networks',
  enterprises: ['25461'],
  kinds: [{ kind: 'firewall' }],
  facts: {
    model: [at('25461.2.1.2.2.1.0'), fromDescription(/\b(PA-\S+)/)],
    serial: [at('25461.2.1.2.1.3.0')],
    firmware: [at('25461.2.1.2.1.1.0')],
    hardware: [at('25461.2.1.2.1.2.0')],
  },
}

/** MIKROTIK-MIB; temperatures come in tenths. Processor and memory are in HOST-RESOURCES-MIB. */
export const mikrotik: Vendor = {
  name: 'MikroTik',
  enterprises: ['14988'],
  kinds: [
    { kind: 'switch', description: /\b(CRS|CSS)\d/i },
    { kind: 'ap', description: /\b(c?AP|wAP|hAP|SXT|LHG|mANT|NetMetal|Groove|BaseBox|Audience)\b/ },
    { kind: 'gateway' },
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
}

export const sonicwall: Vendor = {
  name: 'SonicWall',
  enterprises: ['8741'],
  kinds: [{ kind: 'firewall' }],
  facts: {
    model: [at('8741.2.1.1.1.0')],
    serial: [at('8741.2.1.1.2.0')],
    firmware: [at('8741.2.1.1.3.0')],
    boot: [at('8741.2.1.1.4.0')],
  },
  health: { cpuPercent: [at('8741.1.3.1.3.0')], memoryUsedPercent: [at('8741.1.3.1.4.0')] },
}

export const checkpoint: Vendor = {
  name: 'Check Point',
  enterprises: ['2620'],
  kinds: [{ kind: 'firewall' }],
  facts: { model: [at('2620.1.6.16.7.0')], serial: [at('2620.1.6.16.3.0')], firmware: [at('2620.1.6.4.1.0')] },
  health: {
    cpuPercent: [at('2620.1.6.7.2.4.0')],
    memoryTotalBytes: [at('2620.1.6.7.4.3.0')],
    memoryUsedBytes: [at('2620.1.6.7.4.4.0')],
  },
}

export const vyatta: Vendor = {
  name: 'Vyatta',
  enterprises: ['30803', '44641'],
  kinds: [{ kind: 'gateway' }],
  facts: { firmware: [fromDescription(/^(?:Vyatta|VyOS)\s+(?!unknown)(\S+)/i)] },
}
