import { useLocale } from 'next-intl'
import { type ComponentProps, useMemo } from 'react'
import { presentName, timezoneIds } from '@/model/places'
import { zonesByName } from '@/model/zone-names'
import type { Option } from './check'
import { ComboField } from './combo-field'
import { offsetOf } from './time'

/** The browser's own, by its present name. */
export const ownZone = () => presentName(Intl.DateTimeFormat().resolvedOptions().timeZone)

const isUtc = (zone: string) =>
  offsetOf(zone, Date.UTC(2026, 0, 1)) === offsetOf('UTC', 0) && /^(Etc|UTC|GMT)/.test(zone)

/** The zone of who is in a country, by what their browser says; one that is set to UTC says nothing: the country's first. */
export function zoneFor(country: string, browser: string): string {
  if (browser !== '' && !isUtc(browser)) return browser
  const known = timezoneIds().find(name => zonesByName().get(name)?.country === country)
  return known ?? browser
}

/** A zone by its name, with its distance from UTC now; found by its country, its clocks' short names and its old names too. */
export function zoneOption(name: string, now: number, countries: Intl.DisplayNames): Option {
  const zone = zonesByName().get(name)
  const others = zone ? [zone.name, ...zone.aliases, ...zone.short] : []
  const country = zone?.country ? countries.of(zone.country) : ''
  const also = [...others, country].join(' ')
  return {
    value: name,
    label: name.replaceAll('_', ' '),
    help: `UTC${offsetOf(name, now)}`,
    also: `${also} ${also.replaceAll('_', ' ')}`,
  }
}

/** A time zone. One that is set by another of its names keeps it. */
export function ZoneField(props: Omit<ComponentProps<typeof ComboField>, 'options'>) {
  const locale = useLocale()
  const { value } = props
  const zones = useMemo(() => {
    const [now, countries] = [Date.now(), new Intl.DisplayNames([locale], { type: 'region' })]
    return timezoneIds().map(name => zoneOption(name, now, countries))
  }, [locale])
  const options = useMemo(() => {
    if (!zonesByName().has(value) || zones.some(zone => zone.value === value)) return zones
    return [zoneOption(value, Date.now(), new Intl.DisplayNames([locale], { type: 'region' })), ...zones]
  }, [zones, value, locale])
  return <ComboField {...props} options={options} />
}
