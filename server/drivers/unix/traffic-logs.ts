import { trafficLogs as kind, type TrafficLogsFields } from '@/model/insight/traffic-logs'
import type { SystemFields } from '@/model/system/system'
import type { DesiredDocument, Warning } from '../driver'
import type { WarningCode } from '../words'
import { fieldsOf } from './documents'
import { chain, interfaces, table } from './nft'
import { systemSettings } from './system'

// What gateways record of their clients: names that they ask for, by dnsmasq, and connections that are translated, by the
// kernel. Both are lines of the device's log, which sends them on.

export const aboutTraffic = { kind: kind.id, document: kind.id }
export const trafficWarning = (code: WarningCode, blocks?: true): Warning => ({
  ...aboutTraffic,
  code,
  ...(blocks && { blocks }),
})

/** What is set for the device; undefined where nobody set anything. */
export function trafficSettings(documents: readonly DesiredDocument[]): TrafficLogsFields | undefined {
  const found = documents.find(document => document.kind === kind.id)
  return found && (fieldsOf(kind, found.data) as TrafficLogsFields)
}

/** The server that settings send the device's log to; undefined where they send it nowhere. */
export function logTarget(documents: readonly DesiredDocument[]): SystemFields | undefined {
  const set = systemSettings(documents)
  return set && set.syslog !== 'keep' && set.syslogLevel !== 'none' ? set : undefined
}

export const natLogTable = 'inet lanward_traffic'
/** What the two lines of a connection begin with, behind the kernel's time. */
export const natLogPrefix = 'lanward-nat-'

/**
 * Two lines for each new connection of a client that leaves by one of these interfaces, where it is translated: before
 * that with the client's address and port, after it with those that the internet sees. The first packet alone passes a
 * chain of type `nat`; only that one is marked, so that a stream without answers is one connection. Bit 31 of its mark is
 * taken away again behind the second line. Above 200 a second connections are left out whole. The level keeps the lines off
 * the device's console.
 */
export const natLogRules = (outside: readonly string[]): string =>
  table(natLogTable, [
    // The kernel translates at one place, whatever the chains' numbers, and asks them in their order: before those of others.
    chain('before', 'type nat hook postrouting priority srcnat - 10; policy accept;', [
      `meta nfproto ipv4 oifname ${interfaces(outside)} fib saddr type != local limit rate 200/second burst 400 packets meta mark set meta mark | 0x80000000 counter log prefix "${natLogPrefix}in " level debug flags tcp sequence`,
    ]),
    chain('after', 'type filter hook postrouting priority srcnat + 10; policy accept;', [
      `meta mark & 0x80000000 == 0x80000000 counter log prefix "${natLogPrefix}out " level debug flags tcp sequence meta mark set meta mark & 0x7fffffff`,
    ]),
  ])
