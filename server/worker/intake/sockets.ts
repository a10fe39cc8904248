import { type DatagramTaker, type Doors, type Listener, listenTcp, listenUdp, type StreamListener } from './listen'
import type { IntakeSettings, IntakeStatus } from './protocol'
import { socketDrops } from './socket-drops'
import type { Way } from './store'

/** Counts of the system begin anew with each socket: what came before is kept. */
function systemDrops() {
  let before = 0
  let now: number | null = 0
  return {
    look(port: number | undefined) {
      if (port !== undefined) now = socketDrops(port) ?? null
    },
    renew() {
      before += now ?? 0
      now = 0
    },
    count: () => (now === null ? null : before + now),
  }
}

const sumOrNull = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)

/** What is done with what comes. */
export type Takers = {
  line(way: Way): (bytes: Buffer, address: string) => void
  trap: DatagramTaker
  /** Over streams: who may connect, and what is said of those who may not or do not speak TLS. */
  streams: Omit<Doors, 'take'>
}

export type Sockets = {
  /** Opens and closes what the settings say; what they leave as it was stays open. */
  renew(before: IntakeSettings, settings: IntakeSettings): void
  /** Reads nothing more from streams, or goes on. */
  hold(on: boolean): void
  status(settings: IntakeSettings): Pick<IntakeStatus, 'udp' | 'tcp' | 'tls' | 'traps' | 'droppedBySystem'>
  close(...which: ('udp' | 'streams' | 'traps')[]): void
}

/** The sockets of the reception. */
export function openSockets(takers: Takers): Sockets {
  let udp: Listener | undefined
  let tcp: StreamListener | undefined
  let tls: StreamListener | undefined
  let traps: Listener | undefined
  const drops = { syslog: systemDrops(), traps: systemDrops() }
  const doors = (way: Way) => ({ ...takers.streams, take: takers.line(way) })
  const ends = {
    udp() {
      udp?.close()
      udp = undefined
      drops.syslog.renew()
    },
    tcp() {
      tcp?.close()
      tcp = undefined
    },
    tls() {
      tls?.close()
      tls = undefined
    },
    traps() {
      traps?.close()
      traps = undefined
      drops.traps.renew()
    },
  }
  return {
    renew(before, settings) {
      const moved = before.port !== settings.port
      if (moved || !settings.udp) ends.udp()
      if (moved || !settings.tcp) ends.tcp()
      if (JSON.stringify(before.tls) !== JSON.stringify(settings.tls)) ends.tls()
      if (before.traps?.port !== settings.traps?.port) ends.traps()
      if (settings.udp) udp ??= listenUdp(settings.port, (bytes, { address }) => takers.line('udp')(bytes, address))
      if (settings.tcp) tcp ??= listenTcp(settings.port, doors('tcp'))
      if (settings.tls?.pair) tls ??= listenTcp(settings.tls.port, doors('tls'), settings.tls.pair)
      if (settings.traps) traps ??= listenUdp(settings.traps.port, takers.trap)
    },
    hold(on) {
      tcp?.hold(on)
      tls?.hold(on)
    },
    status(settings) {
      drops.syslog.look(udp?.state() === 'listening' ? settings.port : undefined)
      drops.traps.look(traps?.state() === 'listening' ? settings.traps?.port : undefined)
      return {
        udp: udp?.state() ?? 'off',
        tcp: tcp?.state() ?? 'off',
        tls: tls?.state() ?? (settings.tls ? { error: 'noCertificate' } : 'off'),
        traps: traps?.state() ?? 'off',
        droppedBySystem: sumOrNull(drops.syslog.count(), drops.traps.count()),
      }
    },
    close(...which) {
      if (which.includes('udp')) ends.udp()
      if (which.includes('streams')) for (const end of [ends.tcp, ends.tls]) end()
      if (which.includes('traps')) ends.traps()
    },
  }
}
