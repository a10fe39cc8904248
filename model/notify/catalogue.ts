// What alerts there are, each once: how grave, how it ends, what it says and where one looks after it. Words stand under the
// type in locales/en/alertTypes.json. The only other word of a type is where it is raised (server/notify/alerts/raise.ts).

/** 5 emergency, 10 warning, 15 notice (specification section 9). */
export type AlertLevel = 5 | 10 | 15

/** Where one looks after it. `none`: nowhere in the console. */
export type AlertPlace =
  | 'device'
  | 'client'
  | 'push'
  | 'logs'
  | 'manager'
  | 'webhooks'
  | 'guests'
  | 'sms'
  | 'notices'
  | 'none'

/** A live value that is too high: its name there and in the network's settings, the bounds and the limit unless set. */
type Threshold = {
  field: string
  min: number
  max: number
  normal: number
  unit?: 'percent'
  /** So far it has to fall below the limit before it counts as well again. */
  ease: number
}

type Row = {
  /** Where it is not the same for all: by what whoever raises it says. */
  level: AlertLevel | Readonly<Record<string, AlertLevel>>
  /** Over as it happens: nothing of it is open later. */
  event?: true
  /** The alert that says that it is over; nobody has to look after that one. */
  recovery?: string
  threshold?: Threshold
  /** A network can do without being told of it, and is told or not unless it says. */
  switchable?: 'on' | 'off'
  /** Names of the values that its words may hold, and that its place is found by. */
  values: readonly string[]
  place: AlertPlace
}

const device = { values: ['device'], place: 'device' } as const
const port = { values: ['device', 'port'], place: 'device' } as const
const wan = { values: ['device', 'wan'], place: 'device' } as const
const high = { level: 10, switchable: 'on', values: ['device', 'value', 'limit', 'minutes'], place: 'device' } as const
const client = { level: 15, event: true, values: ['client', 'place', 'mac'], place: 'client' } as const
const push = { level: 10, event: true, values: ['device', 'reason', 'detail'], place: 'push' } as const
const line = ['device', 'rule', 'name', 'message', 'text', 'severity', 'facility', 'from'] as const
const percent = { min: 50, max: 100, normal: 95, unit: 'percent' } as const

const catalogue = {
  deviceOffline: {
    // Without its gateway a network is down; without another device it is smaller.
    level: { gateway: 5, other: 10 },
    recovery: 'deviceOnline',
    values: ['device', 'reason', 'port', 'switch', 'behind'],
    place: 'device',
  },
  deviceOnline: { level: 15, ...device },
  deviceRestarted: { level: 15, event: true, switchable: 'off', ...device },
  cpuHigh: { ...high, recovery: 'cpuNormal', threshold: { field: 'cpuPercent', ...percent, ease: 5 } },
  cpuNormal: { level: 15, ...device },
  memoryHigh: { ...high, recovery: 'memoryNormal', threshold: { field: 'memoryPercent', ...percent, ease: 2 } },
  memoryNormal: { level: 15, ...device },
  temperatureHigh: {
    ...high,
    recovery: 'temperatureNormal',
    threshold: { field: 'temperature', min: 30, max: 120, normal: 80, ease: 3 },
  },
  temperatureNormal: { level: 15, ...device },
  portDown: { level: 10, recovery: 'portUp', switchable: 'off', ...port },
  portUp: { level: 15, ...port },
  // Its power was taken to start a device anew, and the switch has not given it back.
  portPowerless: { level: 10, recovery: 'portPowered', ...port },
  portPowered: { level: 15, ...port },
  powerLeftOff: { level: 10, event: true, values: ['device', 'port', 'switch'], place: 'device' },
  portErrors: {
    ...high,
    recovery: 'portErrorsGone',
    // Of all ports of a device, within about an hour.
    threshold: { field: 'portErrors', min: 1, max: 1_000_000, normal: 1000, ease: 0 },
  },
  portErrorsGone: { level: 15, ...device },
  wanOffline: { level: 5, recovery: 'wanOnline', switchable: 'on', ...wan },
  wanOnline: { level: 15, ...wan },
  wanDegraded: { level: 10, recovery: 'wanOnline', switchable: 'on', ...wan },
  wifiClients: {
    ...high,
    recovery: 'wifiClientsNormal',
    // On one device.
    threshold: { field: 'wifiClients', min: 1, max: 1000, normal: 100, ease: 2 },
  },
  wifiClientsNormal: { level: 15, ...device },
  channelBusy: {
    ...high,
    // In a house with many networks nobody could help it.
    switchable: 'off',
    recovery: 'channelFree',
    // For the radio that finds the air busiest.
    threshold: { field: 'airPercent', ...percent, normal: 80, ease: 10 },
  },
  channelFree: { level: 15, ...device },
  changedOnDevice: { level: 10, event: true, switchable: 'off', ...device },
  clientConnected: client,
  clientDisconnected: client,
  timePolicyFull: { level: 10, event: true, values: ['client', 'mac', 'policy'], place: 'client' },
  logRule: {
    // The rule's own.
    level: { 5: 5, 10: 10, 15: 15 },
    recovery: 'logRuleQuiet',
    values: line,
    place: 'logs',
  },
  logRuleQuiet: { level: 15, values: line, place: 'device' },
  pushReverted: push,
  pushFailed: push,
  backupFailed: { level: 10, recovery: 'backupWorks', values: ['reason'], place: 'manager' },
  backupWorks: { level: 15, values: ['backup'], place: 'manager' },
  workerRestarted: { level: 10, event: true, values: ['error'], place: 'none' },
  // Whoever turns the webhook on or off ends it, and needs no word of that.
  webhookPaused: { level: 10, values: ['webhook', 'id'], place: 'webhooks' },
  guestGuessing: { level: 10, event: true, values: ['lan', 'count', 'minutes'], place: 'guests' },
  guestPasswordOver: { level: 10, event: true, values: ['portal'], place: 'guests' },
  guestSmsFailed: { level: 10, event: true, values: ['gateway', 'reason'], place: 'sms' },
  portalUntrusted: { level: 10, ...device },
  noticeFailed: { level: 10, recovery: 'noticeWorks', values: ['target', 'id'], place: 'notices' },
  noticeWorks: { level: 15, values: ['target'], place: 'notices' },
  // Said to try a way to people; nothing of it is kept.
  noticeTest: { level: 15, values: [], place: 'none' },
} as const satisfies Record<string, Row>

type Catalogue = typeof catalogue
export type AlertType = keyof Catalogue
type With<P> = { [K in AlertType]: Catalogue[K] extends P ? K : never }[AlertType]

export type Switchable = With<{ switchable: string }>
export type Watched = With<{ threshold: Threshold }>
export type ThresholdField = Catalogue[Watched]['threshold']['field']
type Graded = With<{ level: object }>
/** What whoever raises an alert says of how grave it is: nothing, where the catalogue does. */
export type Grade<T extends AlertType> = T extends Graded
  ? { grade: `${keyof Catalogue[T]['level'] & (string | number)}` }
  : { grade?: never }

/** Each row as any of them. */
export const alertFacts: Readonly<Record<AlertType, Row & { recovery?: AlertType }>> = catalogue
export const alertTypes = Object.keys(catalogue) as AlertType[]

export function levelOf(type: AlertType, grade = ''): AlertLevel {
  const { level } = alertFacts[type]
  const own = typeof level === 'number' ? level : level[grade]
  if (own === undefined) throw new Error(`${type}: no level for ${grade}`)
  return own
}

/** Words of an end: nobody has to look after them. */
export const recoveries = [...new Set(alertTypes.flatMap(type => alertFacts[type].recovery ?? []))]
/** Nothing of these is open once they are told: neither events nor words of an end. */
export const overAtOnce = [...recoveries, ...alertTypes.filter(type => alertFacts[type].event)]

export const switchable = alertTypes.filter((type): type is Switchable => alertFacts[type].switchable !== undefined)

type Recovery = Extract<Catalogue[With<{ recovery: string }>]['recovery'], AlertType>
const ofNetwork = ['device', 'client', 'push', 'guests', 'sms'] as const satisfies readonly AlertPlace[]
type Weighed = Exclude<With<{ place: (typeof ofNetwork)[number] }>, Recovery>
/** What a network says the severity of: a type, each of its grades by itself. */
export type SeverityKey = {
  [T in Weighed]: T extends Graded ? `${T}:${keyof Catalogue[T]['level'] & string}` : T
}[Weighed]

export const severityKey = (type: string, grade?: string): string => (grade === undefined ? type : `${type}:${grade}`)
const isWeighed = (type: AlertType): type is Weighed =>
  !recoveries.includes(type) && ofNetwork.some(place => place === alertFacts[type].place)
/** Those, in the order of the catalogue. */
export const severityKeys = alertTypes.filter(isWeighed).flatMap((type): SeverityKey[] => {
  const { level } = alertFacts[type]
  const grades = typeof level === 'number' ? [undefined] : Object.keys(level)
  return grades.map(grade => severityKey(type, grade) as SeverityKey)
})

/** Troubles that a network can wait with until somebody is told; of an offline device rule W11 says how long. */
export type Delayed = Exclude<Extract<Weighed, With<{ recovery: string }>>, 'deviceOffline'>
export const delayed = alertTypes.filter(
  (type): type is Delayed =>
    isWeighed(type) && alertFacts[type].recovery !== undefined && (type as string) !== 'deviceOffline',
)

/** Live values that are watched, and the type that tells of each. */
export const thresholds = Object.entries(catalogue).flatMap(([type, row]) =>
  'threshold' in row ? [{ type: type as Watched, ...row.threshold }] : [],
)
