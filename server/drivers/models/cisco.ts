import { environmentStates } from './part-states'
import { radlan } from './radlan'
import { at, fromDescription, type Vendor } from './vendor'

const switches =
  /\bcatalyst (?!8)|\bC2350|\bC29[4-7]\d|\bC29\d\dXL|\bC35[056]\d|\bC3[68]50\b|\bC37[56]\d|\bC1000\b|\bC9[2-6]\d\d|\bCAT\dK|\bcat[456]\d\d\d|\bWS-[CX]|\bIE-?\d|\bIE3x00|\bIES\b|\bME3\d\d|\bs(72033|2t54|6t64)|\bc6sup|NX-OS|Nexus/i
const routers =
  /\b(ISR|ASR|CSR)\d*\b|\bVirtual XE\b|\bC8\d{3}|\bIR\d{3,4}\b|[,)] ?C?(8\d\d|1[079]\d\d|18\d\d|2[5-9]\d\d|3[6-9]\d\d|7[0-6]\d\d)\w* Software/i

const fanTrayStates = { 2: 'ok', 3: 'failed', 4: 'warning' } as const
const powerStates = {
  1: 'off',
  2: 'ok',
  3: 'off',
  4: 'off',
  5: 'failed',
  6: 'failed',
  7: 'failed',
  8: 'failed',
  9: 'warning',
} as const
const entityName = { column: '1.3.6.1.2.1.47.1.1.1.1.7' } as const

/**
 * IOS, IOS-XE, NX-OS: CISCO-PROCESS-MIB, CISCO-MEMORY-POOL-MIB, CISCO-ENHANCED-MEMPOOL-MIB, CISCO-ENVMON-MIB,
 * CISCO-ENTITY-FRU-CONTROL-MIB, CISCO-ENTITY-SENSOR-MIB, CISCO-POWER-ETHERNET-EXT-MIB.
 */
const cisco: Vendor = {
  name: 'Cisco',
  enterprises: ['9'],
  roles: [
    { role: 'firewall', description: /adaptive security appliance|firepower|\bpix\b/i },
    { role: 'ap', description: /-K9W[78]|\bAP\d{3,4}\w* software|aironet/i },
    { role: 'switch', description: switches },
    { role: 'gateway', description: routers },
  ],
  facts: {
    // The chassis' entity row comes first; this is OLD-CISCO-CHASSIS-MIB for what is older.
    serial: [at('9.3.6.3.0')],
    firmware: [fromDescription(/version\s+(?:NmpSW:\s*)?([^\s,]+)/i)],
  },
  health: {
    cpuPercent: [at('9.9.109.1.1.1.1.7', { pick: 'max' }), at('9.9.109.1.1.1.1.4', { pick: 'max' }), at('9.2.1.57.0')],
    memoryUsedBytes: [at('9.9.48.1.1.1.5.1'), at('9.9.221.1.1.1.1.18', { pick: 'max' })],
    memoryFreeBytes: [at('9.9.48.1.1.1.6.1'), at('9.9.221.1.1.1.1.20', { pick: 'max' })],
    temperatureCelsius: [at('9.9.13.1.3.1.3', { pick: 'max' })],
  },
  // CISCO-POWER-ETHERNET-EXT-MIB cpeExtMainPseUsedPower and -RemainingPower, milliwatts a group.
  poe: {
    usedWatts: [at('9.9.402.1.3.1.4', { pick: 'sum', times: 0.001 })],
    freeWatts: [at('9.9.402.1.3.1.5', { pick: 'sum', times: 0.001 })],
  },
  lists: {
    fans: [
      {
        name: 'ciscoEnvMonFanStatusTable',
        entry: '9.9.13.1.4.1',
        fields: { name: { column: 2 }, state: { column: 3, means: environmentStates } },
      },
      {
        name: 'cefcFanTrayStatusTable',
        entry: '9.9.117.1.4.1.1',
        fields: { name: entityName, state: { column: 1, means: fanTrayStates } },
      },
      {
        name: 'entSensorValueTable',
        entry: '9.9.91.1.1.1.1',
        fields: { name: entityName, rpm: { column: 4 } },
        only: { column: 1, is: [10] },
      },
    ],
    powerSupplies: [
      {
        name: 'ciscoEnvMonSupplyStatusTable',
        entry: '9.9.13.1.5.1',
        fields: { name: { column: 2 }, state: { column: 3, means: environmentStates } },
      },
      {
        name: 'cefcFRUPowerStatusTable',
        entry: '9.9.117.1.1.2.1',
        fields: { name: entityName, state: { column: 2, means: powerStates } },
        // Line cards are in this table, too: ENTITY-MIB's class tells the supplies.
        only: { column: '1.3.6.1.2.1.47.1.1.1.1.5', is: [6] },
      },
    ],
    temperatures: [
      {
        name: 'ciscoEnvMonTemperatureStatusTable',
        entry: '9.9.13.1.3.1',
        fields: { name: { column: 2 }, celsius: { column: 3, skipZero: true } },
      },
    ],
  },
}

const business = radlan('9.6.1.101')

/** Small business switches (CISCOSB, formerly Linksys). */
const ciscoSmallBusiness: Vendor = {
  name: 'Cisco',
  enterprises: ['9.6.1'],
  ...business,
  roles: [
    { role: 'gateway', description: /router|\bRV\d{3}/i },
    { role: 'ap', description: /access point|\bW[AP]\w*\d{3}/i },
    { role: 'switch' },
  ],
  facts: {
    ...business.facts,
    model: [...business.facts.model, fromDescription(/^((?:S[FGX]|CBS|ESW|SLM|SRW)[\w-]*\d[\w-]*)/)],
  },
}

/** Catalyst 1200 and 1300 are of the small business family, with a number among Catalysts. */
const catalystBusiness: Vendor = {
  ...ciscoSmallBusiness,
  enterprises: ['9'],
  description: /\bcatalyst 1[23]00\b|\bC1[23]00-/i,
  facts: { ...business.facts, model: [...business.facts.model, fromDescription(/\b(C1[23]00-[\w-]+)/)] },
}

const accessPointStates = { 1: 'online', 2: 'offline', 3: 'pending' } as const

/** Wireless controllers (AIRESPACE-SWITCHING-MIB, AIRESPACE-WIRELESS-MIB). */
const ciscoWireless: Vendor = {
  name: 'Cisco',
  enterprises: ['14179', '9.1.1069', '9.1.1279', '9.1.1615'],
  roles: [{ role: 'gateway' }],
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
  lists: {
    bss: [
      {
        name: 'bsnDot11EssTable',
        entry: '14179.2.1.1.1',
        fields: { ssid: { column: 2 }, clients: { column: 38 }, up: { column: 6, means: { 0: false, 1: true } } },
      },
    ],
    accessPoints: [
      {
        name: 'bsnAPTable',
        entry: '14179.2.2.1.1',
        fields: {
          name: { column: 3 },
          mac: { column: 33 },
          model: { column: 16 },
          serial: { column: 17 },
          firmware: { column: 8 },
          address: { column: 19 },
          state: { column: 6, means: accessPointStates },
          clients: { column: '14179.2.2.13.1.4', sum: true },
        },
      },
    ],
    stations: [
      {
        name: 'bsnMobileStationTable',
        entry: '14179.2.1.4.1',
        rows: 65_536,
        // Authenticated, associated and asleep: who only probes is no client.
        only: { column: 9, is: [2, 3, 4] },
        fields: {
          mac: { index: 0, numbers: 6 },
          bss: { column: 6 },
          ssid: { column: 7 },
          signalDbm: { column: '14179.2.1.6.1.1' },
          rxBytes: { column: '14179.2.1.6.1.2' },
          txBytes: { column: '14179.2.1.6.1.3' },
        },
      },
    ],
  },
}

/** Cisco Business Wireless: the controller in an access point, with a number among the small business switches. */
const ciscoBusinessWireless: Vendor = {
  ...ciscoWireless,
  enterprises: ['9', '9.6.1'],
  answers: ['14179.1.1.1'],
}

export const ciscoRows: readonly Vendor[] = [
  catalystBusiness,
  cisco,
  ciscoBusinessWireless,
  ciscoSmallBusiness,
  ciscoWireless,
]
