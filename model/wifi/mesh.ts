import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { isRawKey, wpaKeyProblem } from '../rules'

const fields = z.strictObject({
  enabled: f.boolean().default(false),
  /** IEEE 802.11 calls it the Mesh ID; it is written as an SSID is. */
  meshId: f.ssidName().optional(),
  /** Nobody has to know it: one is made where none is given. */
  key: f.madeKey().optional(),
  band: f.choice(['2g', '5g']).default('5g'),
  /** Rule W12: how often a frame is passed on over the air at most, dot11MeshTTL. */
  cascades: f.int(1, 3, { rule: 'W12' }).default(3),
  /** Rule W12: so long a neighbour that is not heard stays one. */
  meshTime: f.int(1, 60, { unit: 'minutes', rule: 'W12' }).default(30),
})
export type MeshFields = z.output<typeof fields>

const on = ({ enabled }: MeshFields) => enabled
const whenOn = (key: keyof MeshFields) => field<MeshFields>(key, { when: on })

/** Access points that reach the network over other access points (IEEE 802.11s). */
export const mesh = single({
  id: 'mesh',
  area: 'wifi',
  fields,
  sections: [section('mesh', ['enabled', ...(['meshId', 'key', 'band', 'cascades', 'meshTime'] as const).map(whenOn)])],
  rules: [
    rule('required', 'meshId', (value: MeshFields) => !on(value) || value.meshId !== undefined),
    rule('wpaKey', 'key', (value: MeshFields) => value.key === undefined || !wpaKeyProblem(value.key)),
    // Rule W2: SAE takes a password only, never a raw key.
    rule('wpa3Key', 'key', (value: MeshFields) => !isRawKey(value.key ?? '')),
  ],
})
