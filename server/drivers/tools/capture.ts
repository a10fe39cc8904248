import type { Figures, RequestOf } from '@/model/troubleshooting/request'
import { DeviceError } from '../driver'
import type { Vantage } from '../vantage'
import { type Packet, packetReader } from './packets'

type Request = RequestOf<'capture'>

// The device ends it by itself, also when it no longer hears from the manager: a program whose output nobody takes is
// killed. $1 seconds; the rest is the program. Not timeout(1), which OpenWrt's busybox does not have.
const bounded = `seconds=$1; shift
"$@" & program=$!
( sleep "$seconds"; kill "$program"; sleep 2; kill -9 "$program" ) >/dev/null 2>&1 &
watch=$!
trap 'kill "$program" 2>/dev/null' TERM INT HUP
wait "$program"; code=$?
[ "$code" -le 128 ] || { wait "$program" 2>/dev/null; code=0; }
kill "$watch" 2>/dev/null
exit "$code"`

/** What connecting and the last lines take beside the capture itself. */
const besideSeconds = 15
/** Of what tcpdump prints: some three characters for each byte of a packet, and its summary. */
const mostBytes = 16 << 20

const wanted = ({ host, port, filter }: Request): string =>
  [filter && `(${filter})`, host && `host ${host}`, port !== undefined && `port ${port}`].filter(Boolean).join(' and ')

/**
 * The manager's own connection is left out: each packet that is told of would make the next. `connection`: sshd's
 * SSH_CONNECTION; a device that does not tell it leaves out the port of its SSH server.
 */
function withoutOwn(connection: string, sshPort: number): string {
  const [, host, theirs, own] = /^([0-9a-f.:]+)(?:%\S+)? (\d+) \S+ (\d+)$/i.exec(connection.trim()) ?? []
  return host === undefined
    ? `not tcp port ${sshPort}`
    : `not (host ${host} and tcp port ${theirs} and tcp port ${own})`
}

const saidOf = (text: string) =>
  /^tcpdump: (.+)$/m.exec(text.replace(/^tcpdump: (?:warning|verbose|data link).*$/gim, ''))?.[1]

export type Refused = { field: 'interface' | 'filter'; said: string }

/** What tcpdump finds wrong with a request, in its words; undefined where nothing, or where it is not there. */
export async function refusedOf(vantage: Vantage, request: Request, signal: AbortSignal): Promise<Refused | undefined> {
  // By itself: one that closes a bracket that it did not open would reach beyond its own.
  const words = ['tcpdump', '-i', request.interface, '-d', '--', request.filter]
  const { code, text } = await vantage.run(words, { signal, seconds: 15 })
  const said = saidOf(text)
  if (code === 0 || code === 127 || said === undefined) return undefined
  const isInterface = text.includes(`tcpdump: ${request.interface}: `) || /No such device|SIOCGIF/.test(said)
  return { field: isInterface ? 'interface' : 'filter', said }
}

export type Capturing = {
  vantage: Vantage
  /** Of the device's SSH server. */
  sshPort: number
  signal: AbortSignal
  line(text: string): void
  packet(packet: Packet): void
}

/** Packets as they pass, until one of the bounds. Rejects with a DeviceError; what was told until then stands. */
export async function capture(
  { vantage, sshPort, signal, line, packet }: Capturing,
  request: Request,
): Promise<Extract<Figures, { tool: 'capture' }>> {
  const own = await vantage.run(['sh', '-c', 'echo "$SSH_CONNECTION"'], { signal, seconds: 15 })
  const filter = [wanted(request), withoutOwn(own.text, sshPort)].filter(Boolean).join(' and ')
  const sum = { packets: 0, bytes: 0 }
  const reader = packetReader(one => {
    sum.packets += 1
    sum.bytes += one.row.length
    packet(one)
  }, line)
  const { interface: name, seconds, packets, bytes } = request
  const words = ['tcpdump', '-i', name, '-nn', '-tt', '-e', '-xx', '-l', '-s', String(bytes), '-c', String(packets)]
  try {
    const { code, text } = await vantage.run(['sh', '-c', bounded, 'sh', String(seconds), ...words, '--', filter], {
      ...{ signal, seconds: seconds + besideSeconds, bytes: mostBytes },
      line: reader.take,
    })
    if (code === 127) throw new DeviceError('unsupported', 'missing: tcpdump')
    if (code !== 0) throw new DeviceError('commandFailed', saidOf(text) ?? text.trim().split('\n').at(-1))
  } finally {
    reader.end()
  }
  const dropped = reader.dropped()
  return { tool: 'capture', ...sum, rows: [], ...(dropped !== undefined && { dropped }) }
}
