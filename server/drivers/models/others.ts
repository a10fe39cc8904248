import { at, fromDescription, type Vendor } from './vendor'

/** PowerNet-MIB: smart UPS, rack PDU, environment monitors. */
export const apc: Vendor = {
  name: 'APC',
  enterprises: ['318'],
  kinds: [{ kind: 'other' }],
  facts: {
    model: [at('318.1.1.1.1.1.1.0'), at('318.1.1.12.1.5.0'), fromDescription(/MN:\s*(\S+)/)],
    serial: [at('318.1.1.1.1.2.3.0'), at('318.1.1.12.1.6.0'), fromDescription(/SN:\s*(\S+)/)],
    firmware: [at('318.1.1.1.1.2.1.0'), at('318.1.1.12.1.3.0'), fromDescription(/PF:\s*(\S+)/)],
    hardware: [fromDescription(/HR:\s*(\S+)/)],
  },
}

/** Synology DiskStation. */
export const synology: Vendor = {
  name: 'Synology',
  enterprises: ['6574'],
  kinds: [{ kind: 'other' }],
  facts: { model: [at('6574.1.5.1.0')], serial: [at('6574.1.5.2.0')], firmware: [at('6574.1.5.3.0')] },
  health: { temperatureCelsius: [at('6574.1.2.0')] },
}

/** Plain net-snmp: what it runs on is not in its number. */
export const netSnmp: Vendor = {
  enterprises: ['8072', '2021'],
  facts: { firmware: [fromDescription(/^Linux \S+ (\S+)/)] },
}
