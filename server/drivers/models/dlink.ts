import { goodOrFailed } from './part-states'
import { at, fromDescription, type Vendor } from './vendor'

// DLINKSW-ENTITY-EXT-MIB hangs below two numbers: that of the DGS-1510 and its like, and the DGS-1250's own.
const roots = ['171.14.5', '171.11.165.1000.5']

const everywhere = <T>(of: (root: string) => T): T[] => roots.map(of)
const dram = { pick: 'first', times: 1024 } as const

/** D-Link's access points: a tree a model, the processor in hundredths of a percent. */
const dlinkAccessPoint: Vendor = {
  name: 'D-Link',
  enterprises: ['171'],
  description: /\b(DAP|DWL)-/i,
  roles: [{ role: 'ap' }],
  ofModel: number => ({
    facts: {
      model: [fromDescription(/\b((?:DAP|DWL)-[\w/-]+)/i)],
      firmware: [at(`${number}.5.1.1.0`)],
      hardware: [at(`${number}.5.1.5.0`)],
    },
    health: { cpuPercent: [at(`${number}.5.1.3.0`, { times: 0.01 })] },
  }),
}

/** D-Link: AGENT-GENERAL-MIB and EQUIPMENT-MIB of the managed lines, DLINKSW-ENTITY-EXT-MIB, RMON2's probe versions. */
const dlink: Vendor = {
  name: 'D-Link',
  enterprises: ['171'],
  roles: [
    { role: 'ap', description: /access point/i },
    { role: 'firewall', description: /\bDFL-/i },
    { role: 'gateway', description: /\b(DSR|DIR|DVG|DSL)-/i },
    { role: 'switch', objectId: '171.10' },
    { role: 'switch', description: /\b(DES|DGS|DXS|DMS|DQS|DIS)-/i },
  ],
  facts: {
    model: [fromDescription(/\b((?:DES|DGS|DXS|DMS|DQS|DIS|DAP|DWL|DFL|DSR)-[\w/-]+)/i)],
    serial: [at('171.12.11.1.9.4.1.17', { pick: 'first' }), at('171.12.1.1.12.0')],
    firmware: [
      ...everywhere(root => at(`${root}.1.8.1.3`, { pick: 'first' })),
      { oid: '1.3.6.1.2.1.16.19.2.0' },
      at('171.12.11.1.9.4.1.11', { pick: 'first' }),
      fromDescription(/\bD[A-Z]{1,2}S-\S+\s+(\d+\.\d+[\w.]*)/),
    ],
    boot: everywhere(root => at(`${root}.1.8.1.2`, { pick: 'first' })),
  },
  health: {
    cpuPercent: [
      at('171.12.1.1.6.2.0'),
      at('171.12.1.1.6.1.0'),
      ...everywhere(root => at(`${root}.1.7.1.4`, { pick: 'max' })),
    ],
    memoryTotalBytes: [at('171.12.1.1.9.1.2.0', { times: 1024 }), ...everywhere(root => at(`${root}.1.4.1.3`, dram))],
    memoryUsedBytes: [at('171.12.1.1.9.1.3.0', { times: 1024 }), ...everywhere(root => at(`${root}.1.4.1.4`, dram))],
    memoryUsedPercent: [at('171.12.1.1.9.1.4', { pick: 'first' })],
    temperatureCelsius: [at('171.12.11.1.8.1.2', { pick: 'max', skipZero: true })],
  },
  lists: {
    fans: everywhere(root => ({
      name: 'dEntityExtEnvFanTable',
      entry: `${root}.1.1.2.1`,
      fields: { name: { column: 3 }, state: { column: 4, means: goodOrFailed } },
    })),
    powerSupplies: everywhere(root => ({
      name: 'dEntityExtEnvPowerTable',
      entry: `${root}.1.1.3.1`,
      fields: { name: { column: 3 }, state: { column: 6, means: { 1: 'ok', 2: 'failed', 3: 'absent' } } },
    })),
    temperatures: [
      ...everywhere(root => ({
        name: 'dEntityExtEnvTempTable',
        entry: `${root}.1.1.1.1`,
        fields: { name: { column: 3 }, celsius: { column: 4, skipZero: true as const } },
      })),
      {
        name: 'swTemperatureTable',
        entry: '171.12.11.1.8.1',
        fields: { celsius: { column: 2, skipZero: true } },
      },
    ],
  },
}

export const dlinkRows: readonly Vendor[] = [dlink, dlinkAccessPoint]
