import type { Figures, RequestOf } from '@/model/troubleshooting/request'
import { DeviceError } from '../driver'
import type { Vantage } from '../vantage'

// Throughput between two devices by iperf3 (3.1 and later), its own protocol and port.

type Throughput = Extract<Figures, { tool: 'iperf3' }>

export type Peers = {
  from: Vantage
  to: Vantage
  /** As what both are known, and where the other is reached. */
  fromName: string
  name: string
  address: string
  signal: AbortSignal
  line(text: string): void
  figures(figures: Throughput): void
}

const port = '5201'
/** What starting, connecting and the last figures take beside the test itself. */
const besideSeconds = 20

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }
const interval = /^\[(\s*\d+|SUM)\]\s+([\d.]+)-([\d.]+)\s+sec\s+([\d.]+) ([KMGT]?)Bytes\s+([\d.]+) Kbits\/sec(.*)$/

/**
 * Reads iperf3 line by line, with rates in kbit (`-f k`): an interval
 * `[  5]   0.00-1.00   sec  16.5 MBytes  137541 Kbits/sec  2221   42.4 KBytes`, and at the end the sums of both ends.
 * `sums`: of several streams at once what they carried together.
 */
export function iperfReader({ sums = false } = {}) {
  const told: Omit<Throughput, 'tool' | 'peer'> = { rates: [] }
  return {
    take(line: string): void {
      const [, of, from, to, amount, unit = '', kilobits, rest = ''] = interval.exec(line) ?? []
      if (kilobits === undefined || (of === 'SUM') !== sums) return
      const bps = Number(kilobits) * 1000
      const bytes = Math.round(Number(amount) * (units[unit] ?? 1))
      const resent = /^\s+(\d+)\s+sender/.exec(rest)?.[1]
      if (rest.includes('receiver')) Object.assign(told, { bps, bytes, seconds: Number(to) - Number(from) })
      else if (!rest.includes('sender')) told.rates.push(bps)
      else if (resent !== undefined) told.resent = Number(resent)
    },
    figures: () => ({ ...told, rates: [...told.rates] }),
  }
}

const missing = (name: string) => new DeviceError('unsupported', `missing: iperf3 ${name}`)

/** What went wrong, in iperf3's own words: `iperf3: error - unable to connect to server: Connection refused`. */
export const iperfError = (text: string): DeviceError =>
  new DeviceError('commandFailed', /iperf3: error - (.+)/.exec(text)?.[1] ?? text.trim().split('\n').at(-1))

/** The other end, for one test; `ready` when it listens. It ends with the test, or by `signal`. */
function serve(to: Vantage, name: string, seconds: number, signal: AbortSignal) {
  let listens = () => undefined as undefined
  const ready = new Promise<void>(done => {
    listens = () => void done()
  })
  const words = ['iperf3', '-s', '-1', '-p', port, '--forceflush']
  const run = to.run(words, { signal, seconds, line: text => /listening on/i.test(text) && listens() })
  const ended = run.then(({ code, text }) => {
    if (code === 127) throw missing(name)
    if (code !== 0 && code !== null) throw iperfError(text)
  })
  ended.catch(() => undefined)
  // Whoever ends before it listened has failed, or never said so.
  return { ready: Promise.race([ready, ended]), ended }
}

/** TCP from one device to the other, or back. Rejects with a DeviceError; `missing: iperf3 …` names where there is none. */
export async function throughput(peers: Peers, { seconds, reverse }: RequestOf<'iperf3'>): Promise<Throughput> {
  const { from, to, address, fromName, name, signal, line } = peers
  const over = new AbortController()
  const limit = seconds + besideSeconds
  const server = serve(to, name, limit, AbortSignal.any([signal, over.signal]))
  const reader = iperfReader()
  const figures = (): Throughput => ({ tool: 'iperf3', peer: name, ...reader.figures() })
  // Whatever comes of it, it is known what the other device is called.
  peers.figures(figures())
  try {
    await server.ready
    const words = ['iperf3', '-c', address, '-p', port, '-t', String(seconds), '-f', 'k', '--forceflush']
    const { code, text } = await from.run(reverse ? [...words, '-R'] : words, {
      ...{ signal, seconds: limit },
      line(text) {
        reader.take(text)
        line(text)
        peers.figures(figures())
      },
    })
    if (code === 127) throw missing(fromName)
    if (code !== 0 || reader.figures().bps === undefined) throw iperfError(text)
    return figures()
  } finally {
    over.abort()
    await server.ended.catch(() => undefined)
  }
}
