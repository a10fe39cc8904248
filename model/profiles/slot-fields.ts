import { judged, meta } from '../field-types'
import { dayProblem, daySlots, dayText, weekProblem, weekSlots, weekText } from '../slots'

/** Fields of schedules: apart from the others, since no other form needs what judges them. */
export const slotFields = {
  /** Rule G16: times of a day in half hours, `08:00-12:00,13:00-24:00`; none is a day that is off. */
  daySlots: () =>
    meta(
      judged(dayProblem).transform(text => dayText(daySlots(text))),
      { widget: 'daySlots', rule: 'G16' },
    ),
  /** Rule G16: the same for a week, `mon-fri 08:00-18:00; sat 09:00-12:00`. */
  weekSlots: () =>
    meta(
      judged(weekProblem).transform(text => weekText(weekSlots(text))),
      { widget: 'weekSlots', rule: 'G16' },
    ),
}
