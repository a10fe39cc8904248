import { failedOrGood } from './part-states'
import { radlanSwitch } from './radlan'
import { at, fromDescription, type Vendor } from './vendor'

/** AlliedWare Plus (AT-PRODUCT-, AT-RESOURCE-, AT-SYSINFO-, AT-ENVMONv2-MIB) and what came before it. */
const alliedTelesis: Vendor = {
  name: 'Allied Telesis',
  enterprises: ['207'],
  roles: [
    { role: 'ap', description: /\bTQ\w?\d|access point/i },
    { role: 'gateway', description: /\bAR\d{3}/i },
    { role: 'switch', description: /switch|\bx\d{3}|AT-/i },
    { role: 'switch', objectId: '207.1.14' },
  ],
  facts: {
    model: [
      at('207.8.4.4.3.21.1.1.4', { pick: 'first' }),
      at('207.8.17.1.3.1.6.1'),
      fromDescription(/\b((?:AT-|CentreCOM )[\w/-]*\d[\w/-]*)/),
    ],
    serial: [at('207.8.4.4.3.21.1.1.8', { pick: 'first' }), at('207.8.17.1.3.1.8.1')],
    firmware: [
      at('207.8.4.4.4.500.2.1.1.0'),
      at('207.8.4.4.4.500.2.1.5.0', { pattern: /(\d+\.\d[\w.-]*)/ }),
      at('207.8.17.1.3.1.5.1'),
      at('207.1.4.167.81.1.3.0'),
      fromDescription(/version\s+([^\s,]+)/i),
      fromDescription(/AlliedWare Plus \(TM\) (\d[\w.-]*)/),
    ],
  },
  health: { cpuPercent: [at('207.8.4.4.3.3.8.1.4', { pick: 'max' }), at('207.8.4.4.3.3.3.0')] },
  lists: {
    fans: [
      {
        name: 'atEnvMonv2FanTable',
        entry: '207.8.4.4.3.12.1.1',
        fields: { name: { column: 4 }, rpm: { column: 5, skipZero: true }, state: { column: 7, means: failedOrGood } },
      },
    ],
    powerSupplies: [
      {
        name: 'atEnvMonv2PsbSensorTable',
        entry: '207.8.4.4.3.12.4.2.1',
        only: { column: 5, is: ['PSU Power Output'] },
        fields: { state: { column: 6, means: failedOrGood } },
      },
    ],
    temperatures: [
      {
        name: 'atEnvMonv2TemperatureTable',
        entry: '207.8.4.4.3.12.3.1',
        // −1: nothing is there to be measured.
        only: { column: 7, is: [1, 2] },
        fields: { name: { column: 4 }, celsius: { column: 5 } },
      },
    ],
  },
}

/** AT-8000S and its like, made by RADLAN's maker. */
const alliedRadlan: Vendor = {
  ...radlanSwitch,
  roles: [{ role: 'switch' }],
  name: 'Allied Telesis',
  enterprises: ['207'],
  answers: ['89.53'],
}

export const alliedRows: readonly Vendor[] = [alliedRadlan, alliedTelesis]
