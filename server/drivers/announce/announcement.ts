/** What a device says of itself on its segment, by whichever protocol. All of it is only what it says. */
export type Announcement = {
  /** What people called it: of a printer, a speaker, a computer. */
  name?: string
  model?: string
  /** What it offers: mDNS service types without underscores (`ipp`), `upnp:` device types, `wsd:` types. */
  services: string[]
}

export const announcementLimits = { text: 64, services: 32, records: 256, packetBytes: 9_000 } as const

/** One line of what can be read, at most 64 characters; undefined where nothing is left. */
export const plainText = (text: string | undefined): string | undefined =>
  text
    ?.replace(/[^\P{C}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, announcementLimits.text) || undefined

/** Two answers of one device as one: what came first stays, services are added up to a bound. */
export function joined(first: Announcement | undefined, next: Announcement): Announcement {
  if (!first) return next
  const services = [...new Set([...first.services, ...next.services])].slice(0, announcementLimits.services)
  const [name, model] = [first.name ?? next.name, first.model ?? next.model]
  return { services, ...(name && { name }), ...(model && { model }) }
}
