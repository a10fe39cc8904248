import { presentName, zoneNames } from '@/model/places'
import { zonesByName } from '@/model/zone-names'
import { lines } from '../../unix/text'

// Which time zones a device knows, a part of the script that reads it. Its tz database may be older than a zone's present
// name or than the zone, or be split so that former names are a package of their own.

export const zonesScript = `part zones
if [ -d /usr/share/zoneinfo ]; then (cd /usr/share/zoneinfo && find . '(' -name posix -o -name right ')' -prune -o ! -type d -print)
else echo none; fi
done_ 0
`

const missing = (zone: string) => `noZone:${zone}`

/** Of the zones that can be set, which the device has under none of their names; nothing where it does not tell. */
export function missingZones(text: string | undefined): string[] {
  const there = new Set(lines(text).map(line => line.trim().replace(/^\.\//, '')))
  if (there.size === 0) return []
  const all = new Set([...zonesByName().values()].map(zone => zone.name))
  const gone = [...all].filter(zone => !zoneNames(zone).some(name => there.has(name)))
  return gone.length === all.size ? [missing('')] : gone.map(missing)
}

/** True for a zone that a device with these capabilities has under no name; it has none at all where it has no database. */
export const lacksZone = (capabilities: readonly string[], zone: string): boolean =>
  capabilities.includes(missing('')) || capabilities.includes(missing(presentName(zone)))
