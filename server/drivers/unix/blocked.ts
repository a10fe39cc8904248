import { type BlockedValues, blockedClient as kind } from '@/model/firewall/blocked'
import type { Cut, DesiredDocument, NativeConfig } from '../driver'
import type { Observation } from '../observation'
import { fieldsOf } from './documents'
import { chain } from './nft'

export type Blocked = { mac: string; id: string /** Unix seconds. */; until?: number }

/** Blocked clients by their MAC address: a plan must not depend on the order in which they were entered. */
export const blockedClients = (documents: readonly DesiredDocument[]): Blocked[] =>
  documents
    .filter(document => document.kind === kind.id)
    .map(document => {
      const { mac, until } = fieldsOf(kind, document.data) as BlockedValues
      return { mac, id: document.id, ...(until !== undefined && { until: Date.parse(until) / 1000 }) }
    })
    .sort((a, b) => (a.mac < b.mac ? -1 : 1))

/** Those without an end: where no clock judges a list, only they can be on it. */
export const blockedForGood = (documents: readonly DesiredDocument[]): Blocked[] =>
  blockedClients(documents).filter(one => one.until === undefined)

/**
 * What a table needs to drop their packets as they come in. Those with an end are judged by the clock at each packet:
 * the end is kept through reboots, and nothing has to be told to the device when it comes.
 */
export function blockedParts(list: readonly Blocked[]): string[] {
  const [always, until] = [list.filter(one => one.until === undefined), list.filter(one => one.until !== undefined)]
  const elements = (of: readonly Blocked[], indent: string) => of.map(one => one.mac).join(`,\n${indent}`)
  const set = (name: string, of: readonly Blocked[]) =>
    of.length === 0 ? [] : [`\tset ${name} {\n\t\ttype ether_addr\n\t\telements = { ${elements(of, '\t\t\t')} }\n\t}`]
  const jump = until.length > 0 ? ['ether saddr @for_a_while jump until'] : []
  const drop = always.length > 0 ? ['ether saddr @for_good counter drop'] : []
  const times = until.map(one => `ether saddr ${one.mac} meta time < ${one.until} counter drop comment "${one.id}"`)
  return [
    ...set('for_good', always),
    ...set('for_a_while', until),
    ...(times.length > 0 ? [['\tchain until {', ...times.map(line => `\t\t${line}`), '\t}'].join('\n')] : []),
    chain('incoming', 'type filter hook prerouting priority -310; policy accept;', [...drop, ...jump]),
  ]
}

/** The manager's own MAC address, where it is on the same network, is on the list that the file holds. */
export const blockedCuts =
  (path: string) =>
  (before: NativeConfig, next: NativeConfig, { path: way, hosts }: Observation): Cut[] => {
    const find = (config: NativeConfig) => config.blocks.find(block => block.id === `file:${path}`)
    const wanted = find(next)
    const mac = hosts?.find(host => host.address === way?.peer)?.mac
    if (!wanted || !mac || find(before)?.text === wanted.text || !wanted.text.includes(mac)) return []
    return [{ block: wanted.id, kind: kind.id, code: 'blocked', values: { mac } }]
  }

/** Bridges of the kernel's own: frames through them are seen by nftables, those through Open vSwitch are not. */
export const bridges = (interfaces: NonNullable<Observation['interfaces']> = []): boolean =>
  interfaces.some(one => one.type === 'bridge' && interfaces.some(other => other.master === one.name))
