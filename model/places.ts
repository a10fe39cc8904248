import { zonesByName } from './zone-names'

/** ISO 3166-1 alpha-2, the countries a radio's regulatory domain may be set to and a network may lie in. */
export const countryCodes =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  )

/** The present name of a zone (Asia/Kolkata for Asia/Calcutta); what is none stays as it is. */
export const presentName = (name: string): string => zonesByName().get(name)?.name ?? name

/** All names of a zone, the present one first; a name that no zone has stands for itself. */
export function zoneNames(name: string): string[] {
  const zone = zonesByName().get(name)
  return zone ? [zone.name, ...zone.aliases] : [name]
}

const offsets = () => [...zonesByName().keys()].filter(name => /^Etc\/GMT[+-][1-9]/.test(name))

/** Each IANA zone of this machine once, by its present name, UTC first. */
export const timezoneIds = (): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(presentName), ...offsets()]),
]

const running = new Map<string, boolean>()
/** Of names that the tz database has: their number is bounded. */
function runs(timeZone: string): boolean {
  const held = running.get(timeZone)
  if (held !== undefined) return held
  let runs = true
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    runs = false
  }
  running.set(timeZone, runs)
  return runs
}

/** A zone that this machine knows, by any name it has in the tz database, as it is written there. */
export const isTimezone = (name: string): boolean =>
  zonesByName().has(name) ? runs(name) : Intl.supportedValuesOf('timeZone').includes(name)

/** Minutes east of UTC at `at` (unix ms). */
export function offsetMinutes(zone: string, at: number): number {
  const name = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(part => part.type === 'timeZoneName')?.value
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name ?? '')
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
}

const hourMs = 3_600_000
const dayMs = 86_400_000
/** When the day of a moment began in a zone, unix ms; on a day of which the clocks skip midnight that much beside it. */
export function dayStart(zone: string, ms: number): number {
  const offset = offsetMinutes(zone, ms) * 60_000
  const midnight = Math.floor((ms + offset) / dayMs) * dayMs
  return midnight - offsetMinutes(zone, midnight - offset) * 60_000
}

/** When a clock of a zone shows `04:30` next after a moment, unix ms; on a day of which the clocks skip that time an hour before it. */
export function nextClock(zone: string, time: string, after: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const on = (day: number) => {
    const at = day + hours * hourMs + minutes * 60_000
    return at - (offsetMinutes(zone, at) - offsetMinutes(zone, day)) * 60_000
  }
  const today = dayStart(zone, after)
  const next = on(today)
  return next > after ? next : on(dayStart(zone, today + 36 * hourMs))
}
