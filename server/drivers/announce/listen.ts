import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { type Announcement, joined } from './announcement'
import { mdnsQuestion, readMdns } from './mdns'
import { readSsdp, ssdpQuestion } from './ssdp'
import { readWsDiscovery, wsDiscoveryQuestion } from './ws-discovery'

/** One question to everybody on a segment, and what an answer to it says. */
export type SegmentQuestion = {
  group: string
  port: number
  packet: Buffer
  read(packet: Buffer): Announcement | undefined
}

/** mDNS, SSDP and WS-Discovery. */
export const segmentQuestions = (): SegmentQuestion[] => [
  { group: '224.0.0.251', port: 5353, packet: mdnsQuestion(), read: readMdns },
  { group: '239.255.255.250', port: 1900, packet: ssdpQuestion(), read: readSsdp },
  { group: '239.255.255.250', port: 3702, packet: wsDiscoveryQuestion(randomUUID()), read: readWsDiscovery },
]

/** Of one address, and of a whole segment: who sends more is not listened to any longer. */
const most = { ofOne: 64, ofAll: 4_000 } as const

type Listening = {
  /** This machine's IPv4 addresses on the segments that are asked. */
  from: readonly string[]
  /** Whose answers count. */
  wanted: ReadonlySet<string>
  milliseconds: number
  signal: AbortSignal
  questions?: readonly SegmentQuestion[]
}

/**
 * Asks each segment once by each protocol and listens to what answers, by address. What an answer says counts for its
 * sender alone. A socket that cannot be opened or used tells nothing; never rejects.
 */
export async function announcements(input: Listening): Promise<Map<string, Announcement>> {
  const { from, questions = segmentQuestions() } = input
  const heard = new Map<string, Announcement>()
  const asked = from.flatMap(address => questions.map(question => askSegment(address, question, input, heard)))
  await Promise.all(asked)
  return heard
}

function askSegment(
  from: string,
  { group, port, packet, read }: SegmentQuestion,
  { wanted, milliseconds, signal }: Listening,
  heard: Map<string, Announcement>,
): Promise<void> {
  return new Promise(done => {
    if (signal.aborted) return done()
    const socket = createSocket('udp4')
    const counts = new Map<string, number>()
    let all = 0
    let open = true
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (open) socket.close()
      open = false
      done()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end, { once: true })
    socket.on('error', end)
    socket.on('message', (data, { address }) => {
      if (!wanted.has(address)) return
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      if (count > most.ofOne) return
      if (++all > most.ofAll) return end()
      const said = read(data)
      if (said) heard.set(address, joined(heard.get(address), said))
    })
    socket.bind({ address: from, port: 0 }, () => {
      try {
        socket.setMulticastInterface(from)
        // It stays on the segment, whatever a router makes of such addresses.
        socket.setMulticastTTL(1)
        socket.send(packet, port, group, error => error && end())
      } catch {
        end()
      }
    })
  })
}
