import type { Fan, PartState, PowerSupply, TemperatureSensor } from '../../hardware'
import type { AccessPoint, Observation } from '../../observation'
import { clean, type Mib, type RowsOf } from '../protocol/table'
import { entities, entityStates, sensors } from './mibs'
import type { ListRow } from './vendor-lists'

// Fans, power supplies and temperature sensors by ENTITY-MIB, ENTITY-SENSOR-MIB and ENTITY-STATE-MIB, or by the vendor's
// own tables where those tell; and what else a vendor's tables list. Pure.

type Entity = RowsOf<typeof entities>[number]
type Sensor = RowsOf<typeof sensors>[number]

const classes = { powerSupply: 6, fan: 7 }
const types = { celsius: 8, rpm: 10 }

/** EntitySensorDataScale counts thousands from units(9). Undefined while the sensor has no reading. */
export const sensorValue = ({ value, scale, precision, status }: Sensor): number | undefined =>
  value === undefined || (status ?? 1) !== 1 ? undefined : value * 10 ** (3 * ((scale ?? 9) - 9) - (precision ?? 0))

const tenth = (value: number) => Math.round(value * 10) / 10

/** What is contained in what: an entity and all above it, at most ten deep, since agents are known to lay circles. */
function above(index: string, of: ReadonlyMap<string, Entity>): Entity[] {
  const found: Entity[] = []
  for (let at = of.get(index); at && found.length < 10; at = of.get(String(at.containedIn ?? 0))) found.push(at)
  return found
}

const ownName = (entity: Entity | undefined) => entity?.name || entity?.description || undefined

/** Names that several share get the name of what they are in before them. */
function namesOf(rows: readonly { index: string }[], of: ReadonlyMap<string, Entity>): Map<string, string | undefined> {
  const plain = rows.map(({ index }) => ownName(of.get(index)))
  const count = (name: string | undefined) => plain.filter(each => each === name).length
  return new Map(
    rows.map(({ index }, i) => {
      const parent = ownName(above(index, of)[1])
      const name = plain[i]
      return [index, name !== undefined && count(name) > 1 && parent ? `${parent} ${name}` : name]
    }),
  )
}

const alarms: readonly (readonly [number, PartState])[] = [
  [0x30, 'failed'],
  [0x0c, 'warning'],
]
const opers: Record<number, PartState> = { 2: 'failed', 3: 'ok', 4: 'warning' }
const locked = 2

/** The bits of entStateAlarm: one byte, which more of them can only fill up. ProCurve gives a text of zeros. */
const alarmBits = (alarm: Buffer | undefined): number =>
  alarm?.subarray(1).every(each => each === 0) ? (alarm[0] ?? 0) : 0

/** By ENTITY-STATE-MIB: entStateOper, and entStateAlarm's bits critical, major, minor and warning. */
function statesOf(mib: Mib): Map<string, PartState> {
  return new Map(
    mib.rows(entityStates).flatMap(({ index, oper, alarm, admin }) => {
      const bits = alarmBits(alarm)
      const alarmed = alarms.find(([mask]) => (bits & mask) !== 0)?.[1]
      const state = oper === 2 && admin === locked ? 'off' : (alarmed ?? opers[oper ?? 0])
      return state ? [[index, state] as const] : []
    }),
  )
}

type Parts = Pick<Observation, 'fans' | 'powerSupplies' | 'temperatures'>

function standardParts(mib: Mib): Required<Parts> {
  const rows = mib.rows(entities)
  const of = new Map(rows.map(row => [row.index, row]))
  const states = statesOf(mib)
  const told = mib.rows(sensors)
  const ofType = (type: number) => told.filter(row => row.type === type && sensorValue(row) !== undefined)
  const speeds = ofType(types.rpm)
  const fans = rows.filter(row => row.class === classes.fan)
  const inFan = (row: Sensor) => above(row.index, of).find(each => each.class === classes.fan)?.index
  const loose = speeds.filter(row => inFan(row) === undefined)
  const fanNames = namesOf([...fans, ...loose], of)
  const rpmOf = (index: string) => speeds.find(row => inFan(row) === index)
  const fanOf = (index: string, sensor: Sensor | undefined): Fan =>
    clean({
      name: fanNames.get(index),
      rpm: sensor && Math.round(sensorValue(sensor) ?? 0),
      state: states.get(index),
    })
  const supplies = rows.filter(row => row.class === classes.powerSupply)
  const supplyNames = namesOf(supplies, of)
  const warm = ofType(types.celsius).filter(row => isTemperature(sensorValue(row) ?? 0))
  const warmNames = namesOf(warm, of)
  return {
    fans: [...fans.map(row => fanOf(row.index, rpmOf(row.index))), ...loose.map(row => fanOf(row.index, row))],
    powerSupplies: supplies.map(
      (row): PowerSupply => clean({ name: supplyNames.get(row.index), model: row.model, state: states.get(row.index) }),
    ),
    temperatures: warm.map(
      (row): TemperatureSensor => clean({ name: warmNames.get(row.index), celsius: tenth(sensorValue(row) ?? 0) }),
    ),
  }
}

/** What a sensor can mean: 0 and less is what agents give for one that is not there. */
export const isTemperature = (celsius: number): boolean => celsius > 0 && celsius <= 150

type Rows = (list: 'fans' | 'powerSupplies' | 'temperatures' | 'accessPoints') => ListRow[]

const told = (row: ListRow): Omit<ListRow, 'index'> => {
  const { index: _, ...rest } = row
  return clean(rest)
}

/** Fans, power supplies and sensors: the vendor's tables where they tell, else the standard ones. Absent where none does. */
export function partsOf(mib: Mib, rows: Rows): Parts {
  const standard = standardParts(mib)
  const own = {
    fans: rows('fans').map(told) as Fan[],
    powerSupplies: rows('powerSupplies').map(told) as PowerSupply[],
    temperatures: rows('temperatures').flatMap(row =>
      isTemperature(Number(row.celsius)) ? [told(row)] : [],
    ) as TemperatureSensor[],
  }
  const found: Parts = {}
  const fans = own.fans.length > 0 ? own.fans : standard.fans
  const powerSupplies = own.powerSupplies.length > 0 ? own.powerSupplies : standard.powerSupplies
  const temperatures = own.temperatures.length > 0 ? own.temperatures : standard.temperatures
  if (fans.length > 0) found.fans = fans
  if (powerSupplies.length > 0) found.powerSupplies = powerSupplies
  if (temperatures.length > 0) found.temperatures = temperatures
  return found
}

/** A controller's access points, each MAC once. Absent where it tells of none. */
export function accessPointsOf(rows: Rows): AccessPoint[] | undefined {
  const seen = new Set<unknown>()
  const found = rows('accessPoints').filter(row => {
    const key = row.mac ?? row.index
    return !seen.has(key) && seen.add(key)
  })
  return found.length > 0 ? (found.map(told) as AccessPoint[]) : undefined
}
