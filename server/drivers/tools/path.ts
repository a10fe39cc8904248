import { isIP } from 'node:net'
import { diagnosisLimits, type Figures, type Hop } from '@/model/troubleshooting/request'
import { DeviceError } from '../driver'
import { echoesOf, hopOf, pingTarget, stepOf } from './parse'
import type { Tool } from './tool'

// The way to a host, router by router: by traceroute where it is there, else by pings whose life ends on the way.

type Way = { hops: Hop[]; reached: boolean }

/** So many routers in a row that do not answer end the search: what is behind them is not found either. */
const silentMost = 6
const betweenRoundsMs = 1000

export const hopLine = ({ hop, address, avgMs }: Hop): string =>
  `${String(hop).padStart(2)}  ${address ?? '*'}${avgMs === undefined ? '' : `  ${avgMs} ms`}`

/** One ping; `ttl`: routers until it ends. */
const once = (tool: Tool, address: string, ttl?: number) =>
  tool.vantage.run(['ping', '-n', '-c', '1', '-W', '1', ...(ttl === undefined ? [] : ['-t', String(ttl)]), address], {
    signal: tool.signal,
    seconds: 15,
  })

async function addressOf(tool: Tool, host: string): Promise<string> {
  if (isIP(host) !== 0) return host
  const { text } = await once(tool, host)
  const address = pingTarget(text)
  if (address === undefined) throw new DeviceError('noRoute', `nameNotFound: ${host}`)
  return address
}

/** Pings with a life of 1, 2, 3 …: whoever ends one says so. Its own time is that of a ping to itself. */
async function byPings(tool: Tool, host: string, put: (hop: Hop) => void): Promise<boolean> {
  const target = await addressOf(tool, host)
  let silent = 0
  for (let ttl = 1; ttl <= diagnosisLimits.hops && silent < silentMost; ttl++) {
    const step = stepOf((await once(tool, target, ttl)).text)
    const timed =
      step.address === undefined || step.ms !== undefined ? step : stepOf((await once(tool, step.address)).text)
    put({
      hop: ttl,
      ...(step.address !== undefined && { address: step.address }),
      ...echoesOf(1, timed.ms === undefined ? [] : [timed.ms]),
    })
    silent = step.address === undefined ? silent + 1 : 0
    if (step.reached || step.stopped) return step.reached
  }
  return false
}

async function byTraceroute(tool: Tool, host: string, put: (hop: Hop) => void): Promise<boolean> {
  const hops: Hop[] = []
  const words = ['traceroute', '-n', '-q', '1', '-w', '1', '-m', String(diagnosisLimits.hops), host]
  let target: string | undefined
  const { code, text } = await tool.vantage.run(words, {
    signal: tool.signal,
    seconds: 60,
    line(line) {
      target ??= /^traceroute to \S+ \(([0-9a-f.:]+)\)/i.exec(line)?.[1]
      const hop = hopOf(line)
      if (!hop) return
      hops.push(hop)
      put(hop)
    },
  })
  if (code !== 0 && hops.length === 0) throw new DeviceError('commandFailed', text.trim().split('\n').at(-1))
  const last = hops.at(-1)?.address
  return last !== undefined && last === (target ?? host)
}

/** What nobody answered at the end says nothing. */
function trimmed(hops: readonly Hop[]): Hop[] {
  const last = hops.findLastIndex(hop => hop.address !== undefined)
  return hops.slice(0, last + 1)
}

export async function pathOf(tool: Tool, host: string, name: 'traceroute' | 'mtr'): Promise<Way> {
  const { has, iputils } = tool.programs
  const walk = has.has('traceroute') ? byTraceroute : iputils ? byPings : undefined
  if (!walk) throw new DeviceError('unsupported', 'missing: traceroute')
  const hops: Hop[] = []
  const reached = await walk(tool, host, hop => {
    hops.push(hop)
    tool.line(hopLine(hop))
    tool.figures({ tool: name, hops: [...hops], reached: false } satisfies Figures)
  })
  return { hops: trimmed(hops), reached }
}

const pause = (signal: AbortSignal, ms: number) =>
  new Promise<void>((done, failed) => {
    const stop = () => {
      clearTimeout(timer)
      failed(new DeviceError('cancelled'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      done()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

/** Each router of a way is pinged once a round; the figures of all rounds so far are told after each. */
export async function roundsOf(tool: Tool, { hops, reached }: Way, rounds: number): Promise<Hop[]> {
  const times = hops.map((): number[] => [])
  let shown: Hop[] = []
  for (let round = 1; round <= rounds; round++) {
    const next = Date.now() + betweenRoundsMs
    await Promise.all(
      hops.map(async ({ address }, at) => {
        if (address === undefined) return
        const { ms, reached: answered } = stepOf((await once(tool, address)).text)
        if (answered && ms !== undefined) times[at]?.push(ms)
      }),
    )
    shown = hops.map(({ hop, address }, at) => ({
      hop,
      ...(address !== undefined && { address }),
      ...echoesOf(address === undefined ? 0 : round, times[at] ?? []),
    }))
    tool.figures({ tool: 'mtr', hops: shown, reached })
    if (round < rounds) await pause(tool.signal, Math.max(0, next - Date.now()))
  }
  for (const hop of shown) if (hop.address !== undefined) tool.line(`${hopLine(hop)}  ${hop.received}/${hop.sent}`)
  return shown
}
