import type { Abilities } from '@/model/abilities'
import type { DeviceRole } from '../observation'

const base = { import: false, hostKey: false, tellsOwn: false, channels: false, kick: false, diagnose: false } as const
const ofSwitch: Abilities = { ...base, settings: 'ports' }
const ofOthers: Abilities = { ...base, settings: 'none' }

/** Over SNMP only ports of switches can be set. */
export const snmpAbilities = (kind: DeviceRole): Abilities => (kind === 'switch' ? ofSwitch : ofOthers)
