import * as z from 'zod'
import { f } from '../fields'

/** Against what the internet is measured: an iperf3 server, or files of a web server. */
export const speedServer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('iperf3'), host: f.host(), port: f.port().default(5201) }),
  z.strictObject({
    type: z.literal('http'),
    /** A file of some hundred megabytes. */
    download: f.url(),
    /** What takes a POST of any length and throws it away. Absent: only the way down is measured. */
    upload: f.url().optional(),
  }),
])
export type SpeedServer = z.output<typeof speedServer>

/** By what a server is known in lists. */
export const serverName = (server: SpeedServer): string =>
  server.type === 'http' ? new URL(server.download).host : `${server.host}:${server.port}`

/** The host that is pinged. */
export const serverHost = (server: SpeedServer): string =>
  server.type === 'http' ? new URL(server.download).hostname.replace(/^\[|\]$/g, '') : server.host

export const directions = ['download', 'upload'] as const
export type Direction = (typeof directions)[number]

/** One way. `rates`: bit/s of each second so far; `bps`: once it is measured. */
export type Measured = {
  rates: number[]
  bps?: number
  /** Mean time of a ping while the line is full, ms. */
  latencyMs?: number
  /** How busy the processors were where it was measured. */
  cpuPercent?: number
}

/** Of pings of the idle line; absent: the server answers none. */
export type IdleLatency = { latencyMs: number; jitterMs?: number; lossPercent: number }

export type SpeedFigures = { idle?: IdleLatency } & Partial<Record<Direction, Measured>>
export type SpeedPhase = 'latency' | Direction

export const speedTestLimits = {
  /** Of one direction; the start, in which TCP finds its rate, is not counted. */
  seconds: 10,
  startSeconds: 2,
  /** At once: one alone does not fill a long line. */
  streams: 4,
  /** Of all of a test, with connecting. */
  wholeSeconds: 90,
  /** Of a network. */
  kept: 100,
  servers: 20,
} as const
