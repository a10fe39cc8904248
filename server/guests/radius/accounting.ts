import { isIPv4 } from 'node:net'
import type { GuestEnd } from '@/model/guests/session'
import { type AskedRadius, firstAnswer, stationOf } from './client'
import { type Attribute, accountingRequestOf, most, number32, types } from './packet'

// What a RADIUS server is told of a session (RFC 2866): its start, its use now and then, its end.

export type Report = 'start' | 'interim' | 'stop'

export type Account = {
  /** Of one session alone, for ever. */
  session: string
  /** As the guest signed in, or as the server calls them. */
  name: string
  /** Whatever the server wants to be told again (RFC 2865 section 5.25), base64. */
  classes: readonly string[]
  mac: string
  address: string
  /** Unix ms; `ended`: absent while in. */
  started: number
  ended?: number
  why?: GuestEnd
  /** Of both directions. */
  bytes: number
}

const statusTypes: Record<Report, number> = { start: 1, stop: 2, interim: 3 }
const byRadius = 1
const wireless = 19
const mostClasses = 8

/** RFC 2866 section 5.10. */
const cause = {
  ...{ userRequest: 1, idleTimeout: 4, sessionTimeout: 5, adminReset: 6, nasError: 9, nasRequest: 10 },
  serviceUnavailable: 15,
}
const causes: Partial<Record<GuestEnd, number>> = {
  ...{ signedOut: cause.userRequest, again: cause.userRequest },
  ...{ idle: cause.idleTimeout, time: cause.sessionTimeout, dailyTime: cause.sessionTimeout },
  ...{ removed: cause.adminReset, blocked: cause.adminReset },
  ...{ bytes: cause.nasRequest, dailyBytes: cause.nasRequest, monthlyBytes: cause.nasRequest },
  ...{ gateway: cause.nasError, closed: cause.serviceUnavailable },
}
export const causeOf = (why: GuestEnd | undefined): number => (why && causes[why]) || cause.nasRequest

const seconds = (ms: number) => Math.max(0, Math.floor(ms / 1000))
const text = (value: string): Buffer => Buffer.from(value).subarray(0, most.value)
const giga = 2 ** 32

/** Gates count both directions together: so they stand as one, and the other is left out instead of being 0. */
const usageOf = ({ bytes }: Account): Attribute[] => [
  [types.acctOutputOctets, number32(bytes % giga)],
  ...(bytes >= giga ? [[types.acctOutputGigawords, number32(Math.floor(bytes / giga))] as const] : []),
]

/** When what is reported was, unix ms. */
const momentOf = (report: Report, { started, ended }: Account, now: number): number =>
  report === 'start' ? started : report === 'stop' ? (ended ?? now) : now

export function reportAttributes(
  { nasId }: Pick<AskedRadius, 'nasId'>,
  report: Report,
  account: Account,
  now: number,
): Attribute[] {
  const { session, name, classes, mac, address, started, why } = account
  const at = momentOf(report, account, now)
  const lasted = [types.acctSessionTime, number32(seconds(at - started))] as const
  return [
    [types.acctStatusType, number32(statusTypes[report])],
    [types.acctSessionId, text(session)],
    [types.userName, text(name)],
    [types.nasIdentifier, text(nasId ?? 'lanward')],
    [types.nasPortType, number32(wireless)],
    [types.acctAuthentic, number32(byRadius)],
    [types.callingStation, stationOf(mac)],
    ...(isIPv4(address) ? [[types.framedIp, Buffer.from(address.split('.').map(Number))] as const] : []),
    ...classes.slice(0, mostClasses).map(one => [types.class, Buffer.from(one, 'base64')] as const),
    [types.eventTimestamp, number32(seconds(at))],
    [types.acctDelayTime, number32(seconds(now - at))],
    ...(report === 'start' ? [] : [lasted, ...usageOf(account)]),
    ...(report === 'stop' ? [[types.acctTerminateCause, number32(causeOf(why))] as const] : []),
  ]
}

/** Tells the server, and the second one where the first says nothing; rule G3. Whether one of them noted it. */
export async function tellServer(radius: AskedRadius, report: Report, account: Account, now: number): Promise<boolean> {
  const attributes = reportAttributes(radius, report, account, now)
  const { accountingPort: port } = radius
  const response = await firstAnswer({ ...radius, port, secondPort: port }, ({ secret }) =>
    accountingRequestOf(secret, attributes),
  )
  return response?.accounted === true
}
