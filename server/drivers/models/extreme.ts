import { at, fromDescription, type Vendor } from './vendor'

/** EXOS (EXTREME-SYSTEM-MIB, EXTREME-SOFTWARE-MONITOR-MIB). */
const extreme: Vendor = {
  name: 'Extreme',
  enterprises: ['1916'],
  roles: [{ role: 'switch' }],
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
  lists: {
    fans: [
      {
        name: 'extremeFanStatusTable',
        entry: '1916.1.1.1.9.1',
        fields: { rpm: { column: 4, skipZero: true }, state: { column: 2, means: { 1: 'ok', 2: 'failed' } } },
      },
    ],
    powerSupplies: [
      {
        name: 'extremePowerSupplyTable',
        entry: '1916.1.1.1.27.1',
        fields: { state: { column: 2, means: { 1: 'absent', 2: 'ok', 3: 'failed', 4: 'off' } } },
      },
    ],
  },
}

/** VOSS, formerly Avaya's and Nortel's VSP (RAPID-CITY). */
const voss: Vendor = {
  name: 'Extreme',
  enterprises: ['2272'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [fromDescription(/(\S+) \(v?\d+\.\d[^)]*\)/)],
    serial: [at('2272.1.4.2.0')],
    firmware: [at('2272.1.1.7.0', { pattern: /(\d+\.\d[\w.]*)/ }), fromDescription(/\(v?(\d+\.\d[^)]*)\)/)],
  },
  health: {
    cpuPercent: [at('2272.1.85.10.1.1.3', { pick: 'max' }), at('2272.1.85.10.1.1.2', { pick: 'max' })],
    memoryUsedPercent: [at('2272.1.85.10.1.1.8', { pick: 'max' })],
  },
  lists: {
    temperatures: [
      {
        name: 'rcVossSystemTemperatureTable',
        entry: '2272.1.101.1.1.2.1',
        fields: { name: { column: 2 }, celsius: { column: 3, skipZero: true } },
      },
    ],
  },
}

/** BOSS, formerly Avaya's and Nortel's ERS (S5-CHASSIS-MIB); temperatures in half degrees. */
const boss: Vendor = {
  name: 'Extreme',
  enterprises: ['45'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [
      fromDescription(
        /((?:Ethernet Routing Switch|ERS|BayStack|Business Policy Switch|Virtual Services Platform)[ -]\S+)/,
      ),
    ],
    serial: [at('45.1.6.3.1.6.0')],
    firmware: [fromDescription(/\bSW:\s*v?(\S+)/), at('45.1.6.4.2.1.10.0')],
    boot: [fromDescription(/\bFW:\s*v?(\S+)/)],
    hardware: [fromDescription(/\bHW:\s*(\S+)/)],
  },
  health: {
    cpuPercent: [at('45.1.6.3.8.1.1.5', { pick: 'max' }), at('45.1.6.3.8.1.1.6', { pick: 'max' })],
    temperatureCelsius: [at('45.1.6.3.7.1.1.5', { pick: 'max', skipZero: true, times: 0.5 })],
  },
}

/** AOS 6 (ALCATEL-IND1-HEALTH-MIB, ALCATEL-IND1-CHASSIS-MIB). */
const aos6: Vendor = {
  name: 'Alcatel-Lucent Enterprise',
  enterprises: ['6486.800'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [fromDescription(/\b(OS\d{4}\S*)/)],
    firmware: [fromDescription(/\b(\d+\.\d+\.\d+\.\S*\d\S*)/)],
  },
  health: {
    cpuPercent: [at('6486.800.1.2.1.16.1.1.1.14.0'), at('6486.800.1.2.1.16.1.1.1.13.0')],
    memoryUsedPercent: [at('6486.800.1.2.1.16.1.1.1.10.0'), at('6486.800.1.2.1.16.1.1.1.9.0')],
    temperatureCelsius: [at('6486.800.1.1.1.3.1.1.3.1.4', { pick: 'max', skipZero: true })],
  },
}

/** AOS 7 and 8 hang the same trees one number on. */
const aos8: Vendor = {
  ...aos6,
  enterprises: ['6486.801'],
  health: {},
}

export const extremeRows: readonly Vendor[] = [aos6, aos8, boss, extreme, voss]
