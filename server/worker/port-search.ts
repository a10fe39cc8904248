export type PortQuery = { network: number; search: string; most: number }
/** A port of a device's front, by the label that is printed there. */
export type FoundPort = { device: number; deviceName: string; label: string; up?: boolean }

/** What is searched of each device: its front's ports, and their last states in the same order. */
type Front = {
  device: { id: number; name: string; network: number }
  panel: readonly { label: string }[]
  panelUp: readonly (boolean | undefined)[]
}

/**
 * Ports whose label is searched for, with or without their device's name: "p2", "sw1 p2". A device's name alone finds
 * none: its page shows them all.
 */
export function findPorts(entries: Iterable<Front>, { network, search, most }: PortQuery): FoundPort[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found: FoundPort[] = []
  for (const { device, panel, panelUp } of entries) {
    if (device.network !== network) continue
    const name = device.name.toLowerCase()
    const own = words.filter(word => !name.includes(word))
    if (own.length === 0) continue
    for (const [at, { label }] of panel.entries()) {
      if (!own.every(word => label.toLowerCase().includes(word))) continue
      found.push({ device: device.id, deviceName: device.name, label, up: panelUp[at] })
      if (found.length === most) return found
    }
  }
  return found
}
