import { system as kind, type SystemFields } from '@/model/system/system'
import type { DesiredDocument } from '../driver'
import { fieldsOf } from './documents'

/** What is set for the device; undefined where nobody set anything. */
export function systemSettings(documents: readonly DesiredDocument[]): SystemFields | undefined {
  const found = documents.find(document => document.kind === kind.id)
  return found && (fieldsOf(kind, found.data) as SystemFields)
}

export const systemParts = [
  'hostname',
  'timeZone',
  'ntpServers',
  'syslog',
  'passwordLogin',
  'sshPassword',
  'sshKeys',
  'snmp',
  'managementVlan',
  'leds',
] as const
export type SystemPart = (typeof systemParts)[number]

const left: Record<SystemPart, (set: SystemFields) => boolean> = {
  hostname: set => set.hostname === undefined,
  timeZone: set => set.timeZone === undefined,
  ntpServers: set => set.ntpServers.length === 0,
  syslog: set => set.syslog === 'keep',
  passwordLogin: set => set.passwordLogin === 'keep',
  sshPassword: set => set.sshPassword === undefined,
  sshKeys: set => set.sshKeys.length === 0,
  snmp: set => set.snmp === 'keep',
  managementVlan: set => set.managementVlan === undefined,
  leds: set => set.leds === 'keep',
}

/** The parts that are not left as the device has them. */
export const wantedParts = (set: SystemFields): SystemPart[] => systemParts.filter(part => !left[part](set))
