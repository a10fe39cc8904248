import { answering, at, fromDescription, type Vendor } from './vendor'

/** PAN-COMMON-MIB; processor and memory are in HOST-RESOURCES-MIB. */
const paloalto: Vendor = {
  name: 'Palo Alto Networks',
  enterprises: ['25461'],
  roles: [{ role: 'firewall' }],
  facts: {
    model: [at('25461.2.1.2.2.1.0'), fromDescription(/\b(PA-\S+)/)],
    serial: [at('25461.2.1.2.1.3.0')],
    firmware: [at('25461.2.1.2.1.1.0')],
    hardware: [at('25461.2.1.2.1.2.0')],
  },
}

const sonicwall: Vendor = {
  name: 'SonicWall',
  enterprises: ['8741'],
  roles: [{ role: 'firewall' }],
  facts: {
    model: [at('8741.2.1.1.1.0')],
    serial: [at('8741.2.1.1.2.0')],
    firmware: [at('8741.2.1.1.3.0')],
    boot: [at('8741.2.1.1.4.0')],
  },
  health: { cpuPercent: [at('8741.1.3.1.3.0')], memoryUsedPercent: [at('8741.1.3.1.4.0')] },
}
/** SonicOS 7 says another number, or none that is anybody's. */
const sonicwallAnswering = answering(sonicwall, '8741')

const checkpoint: Vendor = {
  name: 'Check Point',
  enterprises: ['2620'],
  roles: [{ role: 'firewall' }],
  facts: { model: [at('2620.1.6.16.7.0')], serial: [at('2620.1.6.16.3.0')], firmware: [at('2620.1.6.4.1.0')] },
  health: {
    cpuPercent: [at('2620.1.6.7.2.4.0')],
    memoryTotalBytes: [at('2620.1.6.7.4.3.0')],
    memoryUsedBytes: [at('2620.1.6.7.4.4.0')],
  },
  lists: {
    temperatures: [
      {
        name: 'tempertureSensorTable',
        entry: '2620.1.6.7.8.1.1',
        fields: { name: { column: 2 }, celsius: { column: 3, skipZero: true } },
      },
    ],
    fans: [
      { name: 'fanSpeedSensorTable', entry: '2620.1.6.7.8.2.1', fields: { name: { column: 2 }, rpm: { column: 3 } } },
    ],
  },
}

/** Netgate's; FreeBSD's begemot has the number. */
const pfsense: Vendor = {
  name: 'pfSense',
  enterprises: ['12325', '8072'],
  description: /\bpfSense\b/i,
  roles: [{ role: 'firewall' }],
  facts: {
    firmware: [fromDescription(/pfSense(?:\s+Plus)?(?:\s+\S+)?\s+(\d+\.\d\S+)/i)],
    kernel: [fromDescription(/FreeBSD\s+(\d+\.\d\S*)/)],
  },
}
/** NET-SNMP-EXTEND-MIB's output of what is called `version`: length and letters. */
const versionName = [...Buffer.from('\x07version')].join('.')
const opnsense: Vendor = {
  name: 'OPNsense',
  enterprises: ['12325', '8072'],
  description: /\bOPNsense\b/i,
  roles: [{ role: 'firewall' }],
  facts: {
    // FreeBSD's release follows the host's name where the description is the system's.
    firmware: [
      at(`8072.1.3.2.3.1.1.${versionName}`, { pattern: /(\d+\.\d[\w.-]*)/ }),
      fromDescription(/OPNsense(?:\s+\S+)?\s+(?!\S+-RELEASE)(\d+\.\d\S*)/i),
    ],
    kernel: [fromDescription(/FreeBSD\s+(\d+\.\d\S*)/)],
  },
}

/** Sophos XG and XGS (SFOS-FIREWALL-MIB); memory in MiB. */
const sophos: Vendor = {
  name: 'Sophos',
  enterprises: ['2604'],
  roles: [{ role: 'firewall' }],
  facts: {
    model: [at('2604.5.1.1.2.0')],
    serial: [at('2604.5.1.1.4.0')],
    firmware: [at('2604.5.1.1.3.0')],
  },
  health: {
    memoryTotalBytes: [at('2604.5.1.2.5.1.0', { times: 1048576 })],
    memoryUsedPercent: [at('2604.5.1.2.5.2.0')],
  },
}
const sophosAnswering = answering(sophos, '2604.5.1')

/** WATCHGUARD-SYSTEM-STATISTICS-MIB: the processor in hundredths of a percent. */
const watchguard: Vendor = {
  name: 'WatchGuard',
  enterprises: ['3097'],
  roles: [{ role: 'ap', description: /\bAP\d{2,3}/ }, { role: 'firewall' }],
  facts: {
    // sysDescr is the model's name alone.
    model: [fromDescription(/^((?:Firebox|XTM|[MTX])[ -]?\w*\d[\w-]*)$/)],
    firmware: [fromDescription(/\bv(\d+\.\d[\w.]*)/), at('3097.6.3.1.0', { pattern: /<sysa:(\d[\w.]*)>/ })],
  },
  health: { cpuPercent: [at('3097.6.3.78.0', { times: 0.01 }), at('3097.6.3.77.0', { times: 0.01 })] },
}

/** Sangfor: the word of the product tells wireless controllers from firewalls. */
const sangfor: Vendor = {
  name: 'Sangfor',
  enterprises: ['35047'],
  roles: [
    { role: 'gateway', description: /\bWAC\b|wireless/i },
    { role: 'firewall', description: /\b(NG)?AF\b|firewall/i },
  ],
}

export const firewallsRows: readonly Vendor[] = [
  checkpoint,
  opnsense,
  paloalto,
  pfsense,
  sangfor,
  sonicwall,
  sonicwallAnswering,
  sophos,
  sophosAnswering,
  watchguard,
]
