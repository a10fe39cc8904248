import { isIP } from 'node:net'
import {
  type Direction,
  directions,
  type IdleLatency,
  type Measured,
  type SpeedFigures,
  type SpeedPhase,
  type SpeedServer,
  serverHost,
  speedTestLimits,
} from '@/model/dashboard/speed-test'
import type { Echoes, Figures } from '@/model/troubleshooting/request'
import { DeviceError, isDeviceError } from '../driver'
import type { Vantage } from '../vantage'
import { iperfError, iperfReader } from './iperf'
import { bpsBetween, cpuBetween, interfaceTo, type Load, watchLoad } from './line-load'
import { pingTarget } from './parse'
import { runWith } from './run-tool'
import { type Programs, programsOf } from './tool'

// How fast the way to a server is: its latency, then one direction after the other, since together the acknowledgements
// of one wait behind the data of the other and both seem slower than they are.

const { seconds, startSeconds, streams } = speedTestLimits
/** With connecting and the last figures. */
const wholeSeconds = seconds + startSeconds + 20
const idlePings = 5

export type SpeedTest = {
  vantage: Vantage
  server: SpeedServer
  signal: AbortSignal
  /** What is measured now, and all figures so far. */
  tell(phase: SpeedPhase, figures: SpeedFigures): void
}

type Told = Omit<SpeedTest, 'tell'> & { programs: Programs }
/** `device`: the interface by which the server is reached; `tell`: the rates of each second so far. */
type Way = Told & { direction: Direction; device: string | undefined; tell(rates: number[]): void }
type Found = Pick<Measured, 'bps' | 'rates'> & { load: readonly Load[] }

const missing = (program: string) => new DeviceError('unsupported', `missing: ${program}`)

function idleOf({ sent, received, avgMs, jitterMs }: Echoes): IdleLatency | undefined {
  if (avgMs === undefined) return undefined
  const lossPercent = Math.round(((sent - received) / sent) * 100)
  return { latencyMs: avgMs, ...(jitterMs !== undefined && { jitterMs }), lossPercent }
}

/** Pings of a server, as far as they came; undefined where it, or the program, does not answer. */
async function pings({ vantage, programs, signal }: Told, host: string, count: number) {
  const found: { echoes?: Echoes; address?: string } = {}
  const told = {
    ...{ vantage, programs, signal },
    line(text: string) {
      found.address ??= pingTarget(text)
    },
    figures(figures: Figures) {
      if (figures.tool === 'ping') found.echoes = figures
    },
  }
  await runWith(told, { tool: 'ping', host, count, size: 56 }).catch(error => {
    // That it cannot be pinged is no end of the test; that its name leads nowhere is.
    if (!isDeviceError(error) || !['unsupported', 'commandFailed', 'cancelled'].includes(error.reason)) throw error
  })
  return found
}

/** Does something as long as `work` takes; what becomes of it is not waited for. */
async function during<T>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<unknown>, work: () => Promise<T>) {
  const over = new AbortController()
  const ended = run(AbortSignal.any([signal, over.signal])).catch(() => undefined)
  try {
    return await work()
  } finally {
    over.abort()
    await ended
  }
}

async function byIperf({ vantage, server, direction, device, signal, tell }: Way): Promise<Found> {
  if (server.type !== 'iperf3') throw new DeviceError('unsupported')
  const reader = iperfReader({ sums: true })
  const load: Load[] = []
  const words = ['iperf3', '-c', server.host, '-p', String(server.port), '-f', 'k', '--forceflush']
  const times = ['-t', String(seconds), '-O', String(startSeconds), '-P', String(streams), '--connect-timeout', '5000']
  const { code, text } = await during(
    signal,
    ended => watchLoad(vantage, { device, seconds: wholeSeconds, signal: ended, load: one => load.push(one) }),
    () =>
      vantage.run([...words, ...times, ...(direction === 'download' ? ['-R'] : [])], {
        ...{ signal, seconds: wholeSeconds },
        line(line) {
          reader.take(line)
          tell(reader.figures().rates)
        },
      }),
  )
  if (code === 127) throw missing('iperf3')
  const { bps, rates } = reader.figures()
  if (code !== 0 || bps === undefined) throw iperfError(text)
  return { bps, rates, load }
}

const curl = ['curl', '-q', '-g', '-sS', '-L', '--proto', '=http,https', '--connect-timeout', '8', '-Z']
const answered = ['-w', '%{http_code} %{size_download} %{size_upload}\\n']

/** Of each stream; a file that ends before the test does is fetched again. */
const curlWords = (url: string, direction: Direction): string[] => {
  const one = direction === 'download' ? ['-o', '/dev/null'] : ['-o', '/dev/null', '-X', 'POST', '-T', '/dev/zero']
  const times = direction === 'download' ? streams * 10 : streams
  const each = Array.from({ length: times }, () => [...one, url]).flat()
  return [...curl, '--parallel-max', String(streams), ...answered, ...each]
}

/** Why curl came to an end before it was ended, by its code and what it printed. */
function curlError(code: number | null, text: string): DeviceError {
  if (code === 127) return missing('curl')
  const refused = /^([45]\d\d) /m.exec(text)?.[1]
  if (refused !== undefined) return new DeviceError('commandFailed', `HTTP ${refused}`)
  const said = /^curl: \(\d+\) (.+)$/m.exec(text)?.[1]
  return new DeviceError('commandFailed', said ?? 'fileTooShort')
}

async function byHttp({ vantage, server, direction, device, signal, tell }: Way): Promise<Found> {
  const url = server.type === 'http' ? server[direction] : undefined
  if (url === undefined) throw new DeviceError('unsupported')
  if (device === undefined) throw new DeviceError('noRoute', serverHost(server))
  const side = direction === 'download' ? 'inOctets' : 'outOctets'
  const load: Load[] = []
  const rates = () => load.slice(1).flatMap((one, at) => bpsBetween(load[at] as Load, one, side) ?? [])
  const take = (one: Load) => {
    load.push(one)
    tell(rates())
  }
  const fetching = async (ended: AbortSignal) => {
    const { code, text } = await vantage.run(curlWords(url, direction), { signal: ended, seconds: wholeSeconds })
    throw curlError(code, text)
  }
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const watched = watchLoad(vantage, { device, seconds: seconds + startSeconds, signal: until, load: take })
  const fetched = fetching(until)
  try {
    // It is ended once enough was seen; what ends before that has failed.
    await Promise.race([watched, fetched])
  } finally {
    over.abort()
    await Promise.allSettled([watched, fetched])
  }
  const [first, last] = [load[startSeconds], load.at(-1)]
  const bps = first && last && bpsBetween(first, last, side)
  if (bps === undefined) throw new DeviceError('commandFailed', 'its counters told nothing')
  return { bps, rates: rates(), load }
}

const ways = { iperf3: byIperf, http: byHttp } as const

/** The directions that a server can be asked for. */
const asked = (server: SpeedServer): readonly Direction[] =>
  directions.filter(one => server.type === 'iperf3' || server[one] !== undefined)

/** One direction, with pings beside it. */
async function measure(way: Way): Promise<Measured> {
  const { server, signal } = way
  let pinged: Echoes | undefined
  const { load, ...found } = await during(
    signal,
    async ended => {
      const { echoes } = await pings({ ...way, signal: ended }, serverHost(server), seconds)
      pinged = echoes
    },
    () => ways[server.type](way),
  )
  const cpuPercent = cpuBetween(load[startSeconds], load.at(-1))
  const latencyMs = pinged?.avgMs
  return { ...found, ...(latencyMs !== undefined && { latencyMs }), ...(cpuPercent !== undefined && { cpuPercent }) }
}

/** Rejects with a DeviceError: `missing: …` names a program that is not there; what was measured until then has been told. */
export async function speedTest({ tell, ...test }: SpeedTest): Promise<SpeedFigures> {
  const { vantage, server, signal } = test
  const figures: SpeedFigures = {}
  tell('latency', figures)
  const programs = await programsOf(test)
  const { echoes, address } = await pings({ ...test, programs }, serverHost(server), idlePings)
  const idle = echoes && idleOf(echoes)
  if (idle) figures.idle = idle
  const host = serverHost(server)
  const device = await interfaceTo(vantage, isIP(host) ? host : address, signal)
  for (const direction of asked(server)) {
    const heard = (rates: number[]) => {
      figures[direction] = { rates }
      tell(direction, figures)
    }
    heard([])
    figures[direction] = await measure({ ...test, programs, direction, device, tell: heard })
    tell(direction, figures)
  }
  return figures
}
