import { type Notification, readNotification, versionOf } from '@/server/drivers/snmp/protocol/notification'
import {
  type OwnEngine,
  receiveV3,
  seenEngines,
  type TrapRefusal,
  type V3Login,
} from '@/server/drivers/snmp/protocol/notification-v3'
import { linkDown, linkUp } from '@/server/drivers/snmp/traps/trap-names'
import { trapText } from '@/server/drivers/snmp/traps/trap-text'
import type { IntakeStatus, TrapLogins, TrapSettings } from './protocol'
import type { Way } from './store'
import { controls, type SyslogLine, shortened } from './syslog-line'

export type TakenTrap = {
  line: SyslogLine
  way: Way
  /** It says that a link changed. */
  link: boolean
  /** The request's number. */
  id: number
  /** For an inform. */
  answer?: Buffer
}
/** What a datagram to the port of traps is. `report`: for a sender that asks for our engine first. */
export type Taken = TakenTrap | { report: Buffer } | { refused: TrapRefusal }

const ways = {
  1: { trap: 'trap1', inform: 'trap1' },
  2: { trap: 'trap2', inform: 'inform2' },
  3: { trap: 'trap3', inform: 'inform3' },
} as const
const shownSenders = 10
const mostSenders = 64

/** As it is kept among the lines: the notification's name is the program, what it carries the text. */
function lineOf(notification: Notification): SyslogLine {
  const { name, text, severity } = trapText(notification)
  return { tag: name, ...(severity !== undefined && { pri: severity }), ...shortened(text.replace(controls, ' ')) }
}

function taken(notification: Notification, id: number, answer: Buffer | undefined): Taken {
  const { version, inform, trap } = notification
  return {
    ...{ line: lineOf(notification), way: ways[version][inform ? 'inform' : 'trap'], id },
    link: trap === linkDown || trap === linkUp,
    ...(answer && { answer }),
  }
}

/** Why notifications were refused, with the last senders: bounded, however many forge addresses. */
function refusals() {
  const counts: Partial<Record<TrapRefusal, number>> = {}
  const senders = new Map<string, { why: TrapRefusal; at: number }>()
  return {
    note(address: string, why: TrapRefusal): void {
      counts[why] = (counts[why] ?? 0) + 1
      senders.delete(address)
      senders.set(address, { why, at: Date.now() })
      if (senders.size > mostSenders) senders.delete(senders.keys().next().value as string)
    },
    status: (): Pick<IntakeStatus, 'refusedTraps' | 'refusedSenders'> => ({
      refusedTraps: { ...counts },
      refusedSenders: [...senders]
        .slice(-shownSenders)
        .toReversed()
        .map(([address, one]) => ({ address, ...one })),
    }),
  }
}

/** Reads traps and informs: who may send which is what it is told. */
export function notificationReader(own: OwnEngine) {
  let logins: TrapLogins = {}
  const engines = seenEngines()
  const refused = refusals()

  const usersOf = ({ user }: TrapSettings, device: number): V3Login[] => {
    const login = logins[device]
    return [...(user ? [user] : []), ...(login && 'user' in login ? [login] : [])]
  }
  const isAllowed = ({ community: wanted }: TrapSettings, device: number, community: Buffer): boolean => {
    const login = logins[device]
    if (wanted === undefined) return true
    const allowed = [wanted, ...(login && 'community' in login ? [login.community] : [])]
    return allowed.includes(community.toString())
  }
  const outcome = (bytes: Buffer, address: string, settings: TrapSettings, device: number): Taken => {
    if (versionOf(bytes) === 3) {
      const found = receiveV3(bytes, usersOf(settings, device), own, engines)
      return 'notification' in found ? taken(found.notification, found.id, found.answer) : found
    }
    const { community, notification, id, answer } = readNotification(bytes)
    if (!isAllowed(settings, device, community)) return { refused: 'community' }
    // Whose it is is said where somebody else passed it on.
    const { agent, ...unpassed } = notification
    return taken(agent === address ? unpassed : notification, id, answer)
  }
  return {
    know(next: TrapLogins): void {
      logins = next
    },
    /** `device` is 0 for a sender that is none. */
    read(bytes: Buffer, address: string, settings: TrapSettings, device: number): Taken {
      const found = ((): Taken => {
        try {
          return outcome(bytes, address, settings, device)
        } catch {
          return { refused: 'malformed' }
        }
      })()
      if ('refused' in found && found.refused) refused.note(address, found.refused)
      return found
    },
    status: refused.status,
  }
}
