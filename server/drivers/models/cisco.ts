import { at, fromDescription, type Vendor } from './vendor'

/** IOS, IOS-XE, NX-OS: CISCO-PROCESS-MIB, CISCO-MEMORY-POOL-MIB, CISCO-ENHANCED-MEMPOOL-MIB, CISCO-ENVMON-MIB. */
export const cisco: Vendor = {
  name: 'Cisco',
  enterprises: ['9'],
  kinds: [
    { kind: 'firewall', description: /adaptive security appliance|firepower|\bpix\b/i },
    { kind: 'ap', description: /\b(C1[12345678]\d\d|AP\d{3,4}\w*) software/i },
  ],
  facts: {
    // The chassis' entity row comes first; this is OLD-CISCO-CHASSIS-MIB for what is older.
    serial: [at('9.3.6.3.0')],
    firmware: [fromDescription(/version\s+([^\s,]+)/i)],
  },
  health: {
    cpuPercent: [at('9.9.109.1.1.1.1.7', { pick: 'max' }), at('9.9.109.1.1.1.1.4', { pick: 'max' }), at('9.2.1.57.0')],
    memoryUsedBytes: [at('9.9.48.1.1.1.5.1'), at('9.9.221.1.1.1.1.18', { pick: 'max' })],
    memoryFreeBytes: [at('9.9.48.1.1.1.6.1'), at('9.9.221.1.1.1.1.20', { pick: 'max' })],
    temperatureCelsius: [at('9.9.13.1.3.1.3', { pick: 'max' })],
  },
}

/** Small business switches (CISCOSB, formerly Linksys): rlCpuUtilDuringLastMinute. */
export const ciscoSmallBusiness: Vendor = {
  name: 'Cisco',
  enterprises: ['9.6.1'],
  kinds: [{ kind: 'switch', description: /switch/i }],
  facts: { firmware: [at('9.6.1.101.2.4.0')], serial: [at('9.6.1.101.53.14.1.5', { pick: 'first' })] },
  health: { cpuPercent: [at('9.6.1.101.1.8.0')] },
}

/** Wireless controllers (AIRESPACE-SWITCHING-MIB, AIRESPACE-WIRELESS-MIB). */
export const ciscoWireless: Vendor = {
  name: 'Cisco',
  enterprises: ['14179', '9.1.1069', '9.1.1279', '9.1.1615'],
  kinds: [{ kind: 'gateway' }],
  facts: {
    model: [at('14179.1.1.1.3.0')],
    serial: [at('14179.1.1.1.4.0')],
    firmware: [at('14179.1.1.1.14.0')],
  },
  health: {
    cpuPercent: [at('14179.1.1.5.1.0')],
    memoryTotalBytes: [at('14179.1.1.5.2.0', { times: 1024 })],
    memoryFreeBytes: [at('14179.1.1.5.3.0', { times: 1024 })],
    wirelessClients: [at('14179.2.1.1.1.38', { pick: 'sum' })],
  },
}
