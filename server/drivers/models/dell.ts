import { at, fromDescription, type Vendor } from './vendor'

const cmnStates = { 1: 'ok', 2: 'failed', 6: 'absent', 8: 'failed' } as const

/** OS10 (DELLEMC-OS10-CHASSIS-MIB): what it is stands in sysDescr. */
const dellOs10: Vendor = {
  name: 'Dell',
  enterprises: ['674.11000.5000.100'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [fromDescription(/System Type:\s*(\S+)/i)],
    firmware: [fromDescription(/OS Version:\s*(\S+)/i)],
  },
  lists: {
    fans: [
      {
        name: 'os10FanTable',
        entry: '674.11000.5000.100.4.1.2.3.1',
        fields: { state: { column: 7, means: cmnStates } },
      },
      {
        name: 'os10FanTrayTable',
        entry: '674.11000.5000.100.4.1.2.2.1',
        fields: { state: { column: 4, means: cmnStates } },
      },
    ],
    powerSupplies: [
      {
        name: 'os10PowerSupplyTable',
        entry: '674.11000.5000.100.4.1.2.1.1',
        fields: { state: { column: 4, means: cmnStates } },
      },
    ],
    temperatures: [
      {
        name: 'os10CardTable',
        entry: '674.11000.5000.100.4.1.1.4.1',
        fields: { celsius: { column: 5, skipZero: true } },
      },
      {
        name: 'os10ChassisTable',
        entry: '674.11000.5000.100.4.1.1.3.1',
        fields: { celsius: { column: 11, skipZero: true } },
      },
    ],
  },
}

/** FTOS, Force10's and then Dell's OS9 (DELL-NETWORKING-CHASSIS-MIB, F10-S-SERIES-CHASSIS-MIB). */
const force10: Vendor = {
  name: 'Dell',
  enterprises: ['6027'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [fromDescription(/Series:\s*(\S+)/i)],
    firmware: [fromDescription(/Application Software Version:\s*(\S+)/i)],
  },
  health: {
    cpuPercent: [
      at('6027.3.26.1.4.4.1.4', { pick: 'max' }),
      at('6027.3.26.1.4.4.1.1', { pick: 'max' }),
      at('6027.3.10.1.2.9.1.3', { pick: 'max' }),
      at('6027.3.10.1.2.9.1.2', { pick: 'max' }),
    ],
    memoryTotalBytes: [at('6027.3.26.1.4.3.1.6', { pick: 'first', times: 1048576 })],
    memoryUsedPercent: [at('6027.3.26.1.4.4.1.6', { pick: 'first' })],
    temperatureCelsius: [at('6027.3.26.1.3.4.1.13', { pick: 'max', skipZero: true })],
  },
}

export const dellRows: readonly Vendor[] = [dellOs10, force10]
