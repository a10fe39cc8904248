import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import type { Option } from '@/app/_ui/check'
import { countryCodes } from '@/model/places'

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
