import { type Announcement, announcementLimits, plainText } from './announcement'

// WS-Discovery 2005/04, which Windows, printers and ONVIF cameras speak. Only two texts of an answer are looked at, by their
// tags: no document is built of what anybody sends.

/** A probe for everything. `id` is a UUID of its own for each question. */
export const wsDiscoveryQuestion = (id: string): Buffer =>
  Buffer.from(
    '<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"' +
      ' xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing"' +
      ' xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><s:Header>' +
      '<a:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</a:Action>' +
      `<a:MessageID>urn:uuid:${id}</a:MessageID><a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>` +
      '</s:Header><s:Body><d:Probe/></s:Body></s:Envelope>',
  )

const textOf = (xml: string, tag: string) =>
  new RegExp(`<(?:[\\w.-]{1,20}:)?${tag}(?:\\s[^<>]{0,400})?>([^<]{0,4000})</`).exec(xml)?.[1] ?? ''

/** A part of an ONVIF scope: `onvif://www.onvif.org/name/Yard%20west` is called "Yard west". */
function scope(scopes: string, part: string): string | undefined {
  const found = new RegExp(`onvif://www\\.onvif\\.org/${part}/([^\\s/]{1,200})`, 'i').exec(scopes)?.[1]
  try {
    return found && plainText(decodeURIComponent(found))
  } catch {
    return plainText(found)
  }
}

/** Types, and of cameras name and model; undefined for what is no answer to a probe. */
export function readWsDiscovery(packet: Buffer): Announcement | undefined {
  if (packet.length > announcementLimits.packetBytes) return undefined
  const xml = packet.toString('utf8')
  if (!/<(?:[\w.-]{1,20}:)?ProbeMatch\b/.test(xml)) return undefined
  const types = textOf(xml, 'Types').match(/[\w-]{1,60}(?=\s|$)/g) ?? []
  const scopes = textOf(xml, 'Scopes')
  const [name, model] = [scope(scopes, 'name'), scope(scopes, 'hardware')]
  const services = types.slice(0, announcementLimits.services).map(one => `wsd:${one}`)
  return { services, ...(name && { name }), ...(model && { model }) }
}
