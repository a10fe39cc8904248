import { at, chassis, fromDescription, type Vendor } from './vendor'

const fanStates = { 0: 'failed', 1: 'absent', 2: 'off', 3: 'failed', 4: 'warning', 5: 'ok' } as const
/** HP-ICF-CHASSIS hpicfSensorStatus, and hpicfSensorObjectId of the kinds of sensors. */
const sensorStates = { 2: 'failed', 3: 'warning', 4: 'ok', 5: 'absent' } as const
const sensorKinds = { supply: '1.3.6.1.4.1.11.2.3.7.8.3.1', fan: '1.3.6.1.4.1.11.2.3.7.8.3.2' } as const
const sensorsOf = (kind: string) => ({
  name: 'hpicfSensorTable',
  entry: '11.2.14.11.1.2.6.1',
  only: { column: 2, is: [kind] },
  fields: { name: { column: 7 }, state: { column: 4, means: sensorStates } },
})
const supplyStates = {
  1: 'absent',
  2: 'off',
  3: 'ok',
  4: 'failed',
  5: 'failed',
  7: 'failed',
  8: 'off',
  9: 'off',
} as const

/** ProCurve and ArubaOS-Switch: STATISTICS-, NETSWITCH-, SEMI-MIB (hpHttpMg), FAN-, POWERSUPPLY-MIB, HP-ICF-CHASSIS. */
const procurve: Vendor = {
  name: 'HP',
  // Single ones, of old and of now, and stacks.
  enterprises: ['11.2.3.7.11', '11.2.3.7.5', '11.2.3.7.8'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [
      fromDescription(/((?:ProCurve|HP|Aruba)\s+\S+\s+.*?),\s*revision/i),
      fromDescription(/^((?:HPE? OfficeConnect Switch|HP ProCurve|(?:Aruba|HPE Networking) Instant On)\s[^,]+),/),
      fromDescription(/^HP (\d{4}-[^,]+?)(?: Switch)?,/),
    ],
    serial: [at('11.2.36.1.1.2.9.0')],
    partNumber: [at('11.2.36.1.1.2.5.0')],
    firmware: [
      at('11.2.36.1.1.2.6.0'),
      fromDescription(/revision\s+([^\s,]+)/i),
      fromDescription(/InstantOn_\d+_([\d.]+)/),
      fromDescription(/,\s*(P[A-Z]?\.\d\d\.\d\d[\w.]*)/),
    ],
    boot: [at('11.2.36.1.1.2.8.0'), fromDescription(/ROM\s+([^\s,(]+)/)],
  },
  health: {
    cpuPercent: [at('11.2.14.11.5.1.9.6.1.0')],
    memoryTotalBytes: [
      at('11.2.14.11.5.1.1.2.1.1.1.5', { pick: 'first' }),
      at('11.2.14.11.5.1.1.2.2.1.1.5', { pick: 'first' }),
    ],
    memoryFreeBytes: [
      at('11.2.14.11.5.1.1.2.1.1.1.6', { pick: 'first' }),
      at('11.2.14.11.5.1.1.2.2.1.1.6', { pick: 'first' }),
    ],
  },
  lists: {
    fans: [
      {
        name: 'hpicfFanTable',
        entry: '11.2.14.11.5.1.54.2.1.1',
        fields: { state: { column: 4, means: fanStates } },
      },
      sensorsOf(sensorKinds.fan),
    ],
    powerSupplies: [
      {
        name: 'hpicfPsTable',
        entry: '11.2.14.11.5.1.55.1.1.1',
        fields: { state: { column: 2, means: supplyStates }, watts: { column: 6, skipZero: true } },
      },
      sensorsOf(sensorKinds.supply),
    ],
    temperatures: [
      {
        name: 'hpSystemAirTempTable',
        entry: '11.2.14.11.1.2.8.1.1',
        fields: { name: { column: 2 }, celsius: { column: 3, pattern: /^(\d+)C?/ } },
      },
    ],
  },
}

/** hh3cEntityExtErrorStatus: of the errors those of the entity as a whole. */
const entityErrors = {
  2: 'ok',
  3: 'failed',
  4: 'absent',
  41: 'failed',
  51: 'failed',
  61: 'failed',
  91: 'failed',
} as const
const entityClasses = { supply: 6, fan: 7 } as const
const comwareRoots = ['25506', '2011.10'] as const
const comwareParts = (kind: number) =>
  comwareRoots.map(root => ({
    name: 'hh3cEntityExtStateTable',
    entry: `${root}.2.6.1.1.1.1`,
    only: { column: '1.3.6.1.2.1.47.1.1.1.1.5', is: [kind] },
    fields: { name: { column: '1.3.6.1.2.1.47.1.1.1.1.7' }, state: { column: 19, means: entityErrors } },
  }))

/** Comware: H3C, 3Com and HPE FlexNetwork (HH3C-ENTITY-EXT-MIB), below H3C's number and below Huawei's, where it began. */
const comware: Vendor = {
  name: 'H3C',
  enterprises: ['25506', '2011.10', '43'],
  roles: [
    { role: 'firewall', description: /firewall|secpath|secblade|\bNGFW\b/i },
    { role: 'gateway', description: /\b(MSR\d*|router|SR\d+\w*)\b/i },
    { role: 'ap', description: /\bW[AP]\d{4}/ },
    { role: 'gateway', description: /\bWX\d{4}|access controller/i },
    { role: 'switch', description: /switch|\bS\d{4}/i },
  ],
  facts: {
    model: [chassis, fromDescription(/\b((?:H3C|HPE?|3Com)\s+(?:Switch\s+)?(?!Comware|Switch)[\w/-]*\d[\w/-]*)/)],
    serial: [chassis, at('25506.2.6.1.2.1.1.2', { pick: 'first' }), at('2011.10.2.6.1.2.1.1.2', { pick: 'first' })],
    firmware: [
      fromDescription(/Software Version\s+([^\n]*?)\s*(?:\n|Copyright|$)/i),
      fromDescription(/Version\s+([^\n]*?)\s*(?:\n|Copyright|$)/i),
    ],
  },
  health: {
    cpuPercent: [
      at('25506.2.6.1.1.1.1.6', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.6', { pick: 'max', skipZero: true }),
    ],
    memoryUsedPercent: [
      at('25506.2.6.1.1.1.1.8', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.8', { pick: 'max', skipZero: true }),
    ],
    memoryTotalBytes: [
      at('25506.2.6.1.1.1.1.10', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.10', { pick: 'max', skipZero: true }),
    ],
    temperatureCelsius: [
      at('25506.2.6.1.1.1.1.12', { pick: 'max', skipZero: true }),
      at('2011.10.2.6.1.1.1.1.12', { pick: 'max', skipZero: true }),
    ],
  },
  lists: { fans: comwareParts(entityClasses.fan), powerSupplies: comwareParts(entityClasses.supply) },
}

export const hpRows: readonly Vendor[] = [comware, procurve]
