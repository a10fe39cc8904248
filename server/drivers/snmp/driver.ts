import type { Driver } from '../driver'
import { observe, readFacts } from './observe/observe'
import { connect, type Session } from './observe/session'
import { portsRenderer } from './ports/ports'
import { power } from './ports/power'
import { push, read, revert, state } from './ports/push'
import { greet } from './protocol/transport'

/** Anything that speaks SNMP. Reads everything; writes ports of switches, and undoes that itself. */
export const snmpDriver: Driver<Session> = {
  id: 'snmp',
  protocol: 'snmp',
  // Whatever answered over SNMP at all; a driver that knows the system better outbids this.
  match: fingerprint => (fingerprint.sysObjectId !== undefined || fingerprint.sysDescr !== undefined ? 1 : 0),
  connect,
  close: session => session.channel.close(),
  ping: ({ channel }) => greet(channel).then(() => undefined),
  facts: readFacts,
  observe,
  renderers: [portsRenderer],
  read,
  equal: (planned, seen) => planned.id === seen.id && planned.text === seen.text,
  push,
  // Nothing on the device waits.
  confirm: () => Promise.resolve(),
  revert,
  state,
  selfCheck: () => Promise.resolve([]),
  actions: { power },
  reverts: 'manager',
}
