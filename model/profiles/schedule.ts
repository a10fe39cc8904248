import * as z from 'zod'
import { f } from '../fields'
import { kind, rule, section } from '../kind'
import { limits } from '../limits'
import { slotFields } from './slot-fields'

const fields = z.strictObject({
  /** Rule G16. */
  name: f.plainName(),
  /** Rule G16: half hours, on the clock of each device. */
  weekly: slotFields.weekSlots().default(''),
  /** Rule G16: such a day has these times and not the week's; without any it is off. */
  dates: f
    .rows({ date: f.date(), times: slotFields.daySlots().default('') }, { max: limits.scheduleDates, unique: ['date'] })
    .default([]),
})
export type ScheduleFields = z.output<typeof fields>

/** When something holds; Wi-Fi networks and rules refer to one. */
export const schedule = kind({
  id: 'schedule',
  area: 'profiles',
  scope: 'network',
  max: limits.schedules,
  title: 'name',
  columns: ['name', 'weekly', 'dates'],
  fields,
  sections: [section('week', ['name', 'weekly']), section('dates', ['dates'])],
  rules: [
    // What is never on is switched off where it stands, not by a schedule.
    rule(
      'scheduleEmpty',
      'weekly',
      (value: ScheduleFields) => value.weekly !== '' || value.dates.some(one => one.times !== ''),
    ),
  ],
})
