import { type Announcement, announcementLimits } from './announcement'

// SSDP (UPnP Device Architecture 2.0, 1.3). The description that an answer links to is not fetched: a device does not say
// what this manager asks for.

const group = '239.255.255.250:1900'

export const ssdpQuestion = (): Buffer =>
  Buffer.from(`M-SEARCH * HTTP/1.1\r\nHOST: ${group}\r\nMAN: "ssdp:discover"\r\nMX: 2\r\nST: ssdp:all\r\n\r\n`)

const deviceType = /^urn:[\w.-]{1,64}:device:([\w-]{1,40}):\d{1,3}$/i

/** The device type that an answer is about; undefined for what is no answer. */
export function readSsdp(packet: Buffer): Announcement | undefined {
  if (packet.length > announcementLimits.packetBytes) return undefined
  const [first = '', ...lines] = packet.toString('latin1').split('\r\n')
  if (!/^HTTP\/1\.[01] 200\b/.test(first)) return undefined
  const about = lines.map(line => /^ST:\s*(\S{1,160})\s*$/i.exec(line)?.[1]).find(Boolean)
  const kind = about && deviceType.exec(about)?.[1]
  return { services: kind ? [`upnp:${kind}`] : [] }
}
