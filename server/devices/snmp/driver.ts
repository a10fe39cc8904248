import { DeviceError, type Driver } from '../driver'
import { observe, readFacts } from './observe'
import { connect, type Session } from './session'

const unsupported = () =>
  Promise.reject(new DeviceError('unsupported', 'this device is read over SNMP, not configured'))

/** Anything that speaks SNMP. Reads; settings are not pushed, so there is nothing to confirm or revert. */
export const snmpDriver: Driver<Session> = {
  id: 'snmp',
  protocol: 'snmp',
  kinds: ['ap', 'switch', 'gateway', 'firewall', 'other'],
  // Whatever answered over SNMP at all; a driver that knows the system better outbids this.
  match: fingerprint => (fingerprint.sysObjectId !== undefined || fingerprint.sysDescr !== undefined ? 1 : 0),
  connect,
  close: session => session.channel.close(),
  facts: readFacts,
  observe,
  renderers: [],
  read: () => Promise.resolve({ blocks: [] }),
  equal: (planned, seen) => planned.id === seen.id && planned.text === seen.text,
  push: unsupported,
  confirm: unsupported,
  revert: unsupported,
  state: () => Promise.resolve('unknown'),
  verify: () => Promise.resolve([]),
  actions: {},
  reverts: 'none',
}
