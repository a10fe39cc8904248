import { at, fromDescription, type Vendor } from './vendor'

/** D-Link: AGENT-GENERAL-MIB of the managed lines, RMON2's probe versions. */
export const dlink: Vendor = {
  name: 'D-Link',
  enterprises: ['171'],
  kinds: [
    { kind: 'ap', description: /\bDAP-|access point/i },
    { kind: 'switch', objectId: '171.10' },
  ],
  facts: {
    model: [fromDescription(/\b((?:DES|DGS|DXS|DAP|DWL|DFL|DSR)-[\w/-]+)/i)],
    serial: [at('171.12.1.1.12.0')],
  },
  health: {
    cpuPercent: [at('171.12.1.1.6.2.0')],
    memoryTotalBytes: [at('171.12.1.1.9.1.2.0', { times: 1024 })],
    memoryUsedBytes: [at('171.12.1.1.9.1.3.0', { times: 1024 })],
    temperatureCelsius: [at('171.12.11.1.8.1.2', { pick: 'max', skipZero: true })],
  },
}

/** Brocade and Ruckus ICX: FOUNDRY-SN-AGENT-MIB. Temperatures come in half degrees. */
export const brocade: Vendor = {
  name: 'Brocade',
  enterprises: ['1991'],
  kinds: [{ kind: 'switch' }],
  facts: {
    model: [fromDescription(/\b((?:ICX|FCX|FLS|FWS|FGS|FESX|TurboIron|NetIron|MLX)[\w-]*)/i)],
    serial: [at('1991.1.1.1.1.2.0')],
    firmware: [at('1991.1.1.2.1.11.0'), fromDescription(/IronWare Version\s+(\S+)/i)],
  },
  health: {
    cpuPercent: [at('1991.1.1.2.1.52.0'), at('1991.1.1.2.1.35.0')],
    memoryTotalBytes: [at('1991.1.1.2.1.54.0')],
    memoryFreeBytes: [at('1991.1.1.2.1.55.0')],
    temperatureCelsius: [
      at('1991.1.1.1.1.18.0', { times: 0.5 }),
      at('1991.1.1.2.13.1.1.4', { pick: 'max', times: 0.5 }),
    ],
  },
}

export const juniper: Vendor = {
  name: 'Juniper',
  enterprises: ['2636'],
  kinds: [
    { kind: 'firewall', description: /\b(srx|ssg|netscreen|vsrx)/i },
    { kind: 'switch', description: /\b(ex|qfx)\d/i },
    { kind: 'gateway', description: /\b(mx|acx|ptx|m|t|j)\d+/i },
  ],
  facts: {
    model: [fromDescription(/Juniper Networks, Inc\.\s+(\S+)/i)],
    serial: [at('2636.3.1.3.0')],
    firmware: [fromDescription(/JUNOS\s+([^\s,#]+)/i)],
  },
  health: {
    cpuPercent: [at('2636.3.1.13.1.8', { pick: 'max', skipZero: true })],
    memoryUsedPercent: [at('2636.3.1.13.1.11', { pick: 'max', skipZero: true })],
    memoryTotalBytes: [at('2636.3.1.13.1.15', { pick: 'max', skipZero: true, times: 1048576 })],
    temperatureCelsius: [at('2636.3.1.13.1.7', { pick: 'max', skipZero: true })],
  },
}

export const extreme: Vendor = {
  name: 'Extreme',
  enterprises: ['1916'],
  kinds: [{ kind: 'switch' }],
  facts: {
    model: [fromDescription(/ExtremeXOS\s+\(([^)]+)\)/i)],
    firmware: [fromDescription(/version\s+([\d.]+)/i)],
    serial: [at('1916.1.1.1.37.0')],
  },
  health: {
    cpuPercent: [at('1916.1.32.1.2.0'), at('1916.1.32.1.4.1.8', { pick: 'max' })],
    memoryTotalBytes: [at('1916.1.32.2.2.1.2', { pick: 'first', times: 1024 })],
    memoryFreeBytes: [at('1916.1.32.2.2.1.3', { pick: 'first', times: 1024 })],
    temperatureCelsius: [at('1916.1.1.1.8.0')],
  },
}

/** JetStream switches: TPLINK-SYSINFO-MIB, TPLINK-SYSMONITOR-MIB. */
export const tplink: Vendor = {
  name: 'TP-Link',
  enterprises: ['11863'],
  kinds: [
    { kind: 'switch', objectId: '11863.5' },
    { kind: 'ap', description: /access point|\bEAP\d/i },
  ],
  facts: {
    hardware: [at('11863.6.1.1.5.0')],
    firmware: [at('11863.6.1.1.6.0')],
    serial: [at('11863.6.1.1.8.0')],
    model: [at('11863.6.1.1.5.0', { pattern: /^(\S+)/ })],
  },
  health: {
    cpuPercent: [at('11863.6.4.1.1.1.1.3', { pick: 'max' })],
    memoryUsedPercent: [at('11863.6.4.1.2.1.1.2', { pick: 'max' })],
  },
}

// FASTPATH, the software of Netgear's managed switches, of Ubiquiti's EdgeSwitch and of many Dell ones: the same
// table of contents below three numbers.
const fastpath = (root: string): Pick<Vendor, 'facts' | 'health'> => ({
  facts: {
    model: [at(`${root}.1.1.1.3.0`), at(`${root}.1.1.1.2.0`)],
    serial: [at(`${root}.1.1.1.4.0`)],
    partNumber: [at(`${root}.1.1.1.6.0`)],
    hardware: [at(`${root}.1.1.1.7.0`)],
    firmware: [at(`${root}.1.1.1.13.0`)],
  },
  health: {
    cpuPercent: [at(`${root}.1.1.4.9.0`, { pattern: /60 Secs?\s*\(\s*([\d.]+)%/i })],
    memoryFreeBytes: [at(`${root}.1.1.4.1.0`, { times: 1024 })],
    memoryTotalBytes: [at(`${root}.1.1.4.2.0`, { times: 1024 })],
  },
})

export const netgear: Vendor = {
  name: 'Netgear',
  enterprises: ['4526'],
  kinds: [{ kind: 'switch', description: /switch|\b[FGXM]S\d|\bM\d{4}/i }],
  ...fastpath('4526.10.1'),
}
export const netgearSmart: Vendor = {
  name: 'Netgear',
  enterprises: ['4526.100.4'],
  kinds: [{ kind: 'switch' }],
  ...fastpath('4526.11.1'),
}
export const edgeswitch: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['4413'],
  kinds: [{ kind: 'switch' }],
  ...fastpath('4413.1.1'),
}
export const dell: Vendor = {
  name: 'Dell',
  enterprises: ['674.10895'],
  kinds: [{ kind: 'switch' }],
  ...fastpath('674.10895.5000.2.6132.1.1'),
}

export const zyxel: Vendor = {
  name: 'Zyxel',
  enterprises: ['890'],
  kinds: [
    { kind: 'firewall', description: /\b(USG|ATP|ZyWALL|VPN\d)/i },
    { kind: 'ap', description: /\b(NWA|WAC|WAX)\d/i },
    { kind: 'switch', description: /\b(GS|XGS|ES|XS|MES|MGS)-?\d/i },
  ],
  facts: {
    model: [fromDescription(/^((?:GS|XGS|ES|XS|MES|MGS|USG|NWA|WAC|WAX|ATP)[\w-]+)\s*$/i)],
    serial: [at('890.1.15.3.1.12.0'), at('890.1.15.3.82.1.10.0')],
    firmware: [at('890.1.15.3.1.6.0')],
  },
  health: {
    cpuPercent: [at('890.1.15.3.2.4.0'), at('890.1.6.22.1.1.0')],
    memoryUsedPercent: [at('890.1.6.22.1.2.0')],
  },
}

export const alliedTelesis: Vendor = {
  name: 'Allied Telesis',
  enterprises: ['207'],
  kinds: [{ kind: 'switch', description: /switch|\bx\d{3}|AT-/i }],
  facts: { firmware: [at('207.8.4.4.4.500.2.1.5.0'), fromDescription(/version\s+([^\s,]+)/i)] },
  health: { cpuPercent: [at('207.8.4.4.3.3.3.0')] },
}

export const moxa: Vendor = {
  name: 'Moxa',
  enterprises: ['8691'],
  kinds: [{ kind: 'switch', description: /switch|\bEDS-|\bIKS-|\bICS-/i }],
}

/** METEL industrial switches: 2G-2S and others (METEL-IPLOG-MIB). */
export const metel: Vendor = {
  name: 'METEL',
  enterprises: ['38616'],
  facts: {
    model: [at('38616.1.1.1.0')],
    serial: [at('38616.1.1.2.0')],
    firmware: [fromDescription(/\bfw:(\S+?),/)],
  },
}
