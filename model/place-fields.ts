import { meta, valid } from './field-types'
import { countryCodes, isTimezone } from './places'

/** Where something stands: apart from the other fields, since few forms need the list of countries. */
export const placeFields = {
  /** An IANA zone. */
  timeZone: () => meta(valid(isTimezone, 'notAllowed'), { widget: 'timeZone' }),
  /** ISO 3166-1 alpha-2. */
  country: () =>
    meta(
      valid(one => countryCodes.includes(one), 'notAllowed'),
      { widget: 'country' },
    ),
}
