import type { Abilities } from '@/model/abilities'
import type { DeviceKind } from '../observation'

const base = { import: false, hostKey: false, tellsOwn: false } as const
const ofSwitch: Abilities = { ...base, settings: 'ports' }
const ofOthers: Abilities = { ...base, settings: 'none' }

/** Over SNMP only ports of switches can be set. */
export const snmpAbilities = (kind: DeviceKind): Abilities => (kind === 'switch' ? ofSwitch : ofOthers)
