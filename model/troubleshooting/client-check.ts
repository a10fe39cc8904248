// Why a client is slow or offline: what is checked, in order, and what each can come to.

/** `none`: it is not about this client; `unknown`: nothing told it, which is not fine. */
export type CheckState = 'fine' | 'fair' | 'poor' | 'unknown' | 'none'

const gatewayUnknown = { noPrograms: 'unknown', gatewayAway: 'unknown', noGateway: 'unknown' } as const
const onAir = { untold: 'unknown', wired: 'none', away: 'none' } as const

/** Each check with what it can come to. The order is that in which a fault is named: the nearest to the client first. */
export const clientChecks = {
  connection: { connected: 'fine', blocked: 'poor', deviceAway: 'poor', gone: 'poor' },
  signal: { strong: 'fine', fair: 'fair', weak: 'poor', ...onAir },
  retries: { few: 'fine', fair: 'fair', many: 'poor', ...onAir },
  channel: { free: 'fine', fair: 'fair', busy: 'poor', ...onAir },
  portErrors: { clean: 'fine', few: 'fair', errors: 'poor', untold: 'unknown', away: 'none' },
  duplex: { full: 'fine', half: 'poor', untold: 'unknown', away: 'none' },
  dhcp: {
    ...{ lease: 'fine', fixed: 'fine', noServer: 'poor', linkLocal: 'poor', noAddress: 'poor', otherSubnet: 'poor' },
    ...{ untold: 'unknown', away: 'none', gatewayAway: 'unknown', noGateway: 'unknown' },
  },
  dns: {
    ...{ answers: 'fine', noName: 'fine', noServer: 'poor', silent: 'poor', refused: 'poor', missing: 'unknown' },
    ...gatewayUnknown,
  },
  gateway: {
    ...{ reached: 'fine', arp: 'fine', lossy: 'fair', slow: 'fair', loss: 'poor', silent: 'poor', conflict: 'poor' },
    ...{ offline: 'poor', untold: 'unknown', noAddress: 'none', away: 'none' },
    ...{ noPrograms: 'unknown', noGateway: 'unknown' },
  },
  wan: {
    ...{ reached: 'fine', nextHop: 'fine', lossy: 'fair', slow: 'fair', loss: 'poor', down: 'poor', noRoute: 'poor' },
    ...{ hopSilent: 'poor', untold: 'unknown', ...gatewayUnknown },
  },
} as const satisfies Record<string, Record<string, CheckState>>

export type CheckName = keyof typeof clientChecks
export const checkNames = Object.keys(clientChecks) as CheckName[]

/** `from`: the device that told or measured it. Times in `values` are called `at` or `until`, Unix ms. */
export type Check = {
  [N in CheckName]: {
    what: N
    reason: keyof (typeof clientChecks)[N] & string
    values: Record<string, string | number>
    from?: string
  }
}[CheckName]

export const stateOf = ({ what, reason }: Check): CheckState =>
  (clientChecks[what] as Record<string, CheckState>)[reason] ?? 'unknown'

/** From where on a value is fine, and from where on it is poor; fair between them. */
export const checkBounds = {
  signalDbm: { fine: -67, poor: -78 },
  retryPercent: { fine: 15, poor: 40 },
  channelPercent: { fine: 50, poor: 75 },
  /** Of the frames of a port. */
  errorPercent: { fine: 0, poor: 0.1 },
  lossPercent: { fine: 9, poor: 20 },
  wanLossPercent: { fine: 1, poor: 10 },
  /** Phones that save power answer late. */
  wifiMs: { fine: 300 },
  wiredMs: { fine: 50 },
  wanMs: { fine: 150 },
} as const

/**
 * The fault that explains what is seen: the first that is poor. A name server that cannot ask others is the consequence of
 * a WAN that is down. Undefined where nothing is poor.
 */
export function causeOf(checks: readonly Check[]): Check | undefined {
  const poor = checks.filter(one => stateOf(one) === 'poor')
  const wan = poor.find(one => one.what === 'wan')
  const isConsequence = (one: Check) => wan !== undefined && one.what === 'dns' && one.reason !== 'noServer'
  return poor.find(one => !isConsequence(one))
}
