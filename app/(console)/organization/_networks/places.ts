import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import type { Option } from '@/app/_ui/check'
import { offsetOf } from '@/app/_ui/time'
import { countryCodes, timezoneIds } from '@/model/places'

/** Countries and regions by their names in the page's language, in its order. */
export function useCountries(): Option[] {
  const locale = useLocale()
  return useMemo(() => {
    const names = new Intl.DisplayNames([locale], { type: 'region' })
    return countryCodes
      .map(value => ({ value, label: names.of(value) ?? value }))
      .sort((a, b) => a.label.localeCompare(b.label, locale))
  }, [locale])
}

/** Time zones with their distance from UTC now. */
export function useTimezones(): Option[] {
  return useMemo(() => {
    const now = Date.now()
    return timezoneIds().map(value => ({
      value,
      label: value.replaceAll('_', ' '),
      help: `UTC${offsetOf(value, now)}`,
    }))
  }, [])
}
