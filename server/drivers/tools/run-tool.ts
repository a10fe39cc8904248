import { isIP } from 'node:net'
import type { Figures, RequestOf, ToolName } from '@/model/troubleshooting/request'
import { DeviceError } from '../driver'
import { lookUp } from './look-up'
import { neighboursOf, pingReader } from './parse'
import { pathOf, roundsOf } from './path'
import { type Programs, programsOf, type Tool } from './tool'

const missing = (program: string): never => {
  throw new DeviceError('unsupported', `missing: ${program}`)
}

/** iputils says of each ping that nothing came yet; of an answer of busybox a gap is told by the next. */
const pingWords = ({ iputils }: Programs, host: string, count: number, size: number) => [
  'ping',
  '-n',
  ...(iputils ? ['-O'] : []),
  ...['-c', String(count), '-W', '2', '-s', String(size), host],
]

/** What is said of a name that does not lead anywhere, by both pings. */
const noName = /not known|bad address|Temporary failure|No address associated|unknown host/i

async function ping(tool: Tool, { host, count, size }: RequestOf<'ping'>): Promise<Figures> {
  if (!tool.programs.has.has('ping')) missing('ping')
  const reader = pingReader()
  const figures = (): Figures => ({ tool: 'ping', ...reader.figures() })
  const { text } = await tool.vantage.run(pingWords(tool.programs, host, count, size), {
    signal: tool.signal,
    seconds: count * 2 + 20,
    line(text) {
      reader.take(text)
      tool.line(text)
      tool.figures(figures())
    },
  })
  if (reader.figures().sent === 0) {
    if (noName.test(text)) throw new DeviceError('noRoute', `nameNotFound: ${host}`)
    throw new DeviceError('commandFailed', text.trim().split('\n').at(-1))
  }
  return figures()
}

async function neighbours({ vantage, programs, signal, line }: Tool): Promise<Figures> {
  const words = programs.has.has('ip') ? ['ip', 'neigh', 'show'] : ['cat', '/proc/net/arp']
  const { text, code } = await vantage.run(words, { signal, seconds: 15, line })
  if (code !== 0) throw new DeviceError('commandFailed', text.trim().split('\n').at(-1))
  return { tool: 'neighbours', neighbours: neighboursOf(text) }
}

async function port(tool: Tool, { host, port: number }: RequestOf<'port'>): Promise<Figures> {
  const shown = isIP(host) === 6 ? `[${host}]` : host
  tool.line(`${shown}:${number} …`)
  const seen = await tool.vantage.connect(host, number, tool.signal)
  tool.line(`${shown}:${number} ${seen.state}${seen.ms === undefined ? '' : ` ${seen.ms} ms`}`)
  return seen
}

async function traceroute(tool: Tool, { host }: RequestOf<'traceroute'>): Promise<Figures> {
  const path = await pathOf(tool, host, 'traceroute')
  return { tool: 'traceroute', hops: path.hops, reached: path.reached }
}

async function mtr(tool: Tool, { host, rounds }: RequestOf<'mtr'>): Promise<Figures> {
  const path = await pathOf(tool, host, 'mtr')
  return { tool: 'mtr', hops: await roundsOf(tool, path, rounds), reached: path.reached }
}

/** What one place can look at by itself. */
type Look = Exclude<ToolName, 'client' | 'iperf3' | 'capture'>
export type LookRequest = RequestOf<Look>

const tools: { [T in Look]: (tool: Tool, request: RequestOf<T>) => Promise<Figures> } = {
  ping,
  traceroute,
  mtr,
  dns: lookUp,
  neighbours,
  port,
}

/** As `runTool`, where it is known which programs are there. */
export function runWith<T extends Look>(tool: Tool, request: RequestOf<T>): Promise<Extract<Figures, { tool: T }>> {
  const run = tools[(request as LookRequest).tool] as (tool: Tool, request: RequestOf<T>) => Promise<Figures>
  return run(tool, request) as Promise<Extract<Figures, { tool: T }>>
}

/** Does what is asked for, from there. Rejects with a DeviceError; what was heard until then has been told. */
export async function runTool(tool: Omit<Tool, 'programs'>, request: LookRequest): Promise<Figures> {
  const programs = request.tool === 'port' ? { has: new Set<string>(), iputils: false } : await programsOf(tool)
  const figures: Figures = await runWith({ ...tool, programs }, request)
  tool.figures(figures)
  return figures
}
