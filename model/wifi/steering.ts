import * as z from 'zod'
import { f } from '../fields'
import { field, section, single } from '../kind'

const fields = z.strictObject({
  enabled: f.boolean().default(false),
  /** Rule W8: a client that is heard weaker is moved on, where another access point hears it better. */
  roamingThreshold: f.int(-80, -65, { unit: 'dBm', rule: 'W8' }).default(-75),
  /** Rule W9: from so many clients on, one that is heard weakly leaves a radio whose channel is busy. Absent: none does. */
  clientThreshold: f.int(10, 100, { rule: 'W9' }).optional(),
})
export type SteeringFields = z.output<typeof fields>

const whenOn = (key: keyof SteeringFields) => field<SteeringFields>(key, { when: ({ enabled }) => enabled })

/** Access points that agree with each other which of them serves a client. */
export const steering = single({
  id: 'steering',
  area: 'wifi',
  fields,
  sections: [section('steering', ['enabled', whenOn('roamingThreshold'), whenOn('clientThreshold')])],
  rules: [],
})
