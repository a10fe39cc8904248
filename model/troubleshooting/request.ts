import * as z from 'zod'
import { f } from '../fields'
import { isInterfaceName } from '../rules'
import type { Check } from './client-check'

/** Looks that can be taken at the network, from this machine or from a device. */
export const toolNames = [
  'client',
  'ping',
  'traceroute',
  'mtr',
  'dns',
  'neighbours',
  'port',
  'iperf3',
  'capture',
] as const
export type ToolName = (typeof toolNames)[number]

export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'TXT'] as const
export type RecordType = (typeof recordTypes)[number]

/** What a diagnosis does. Names and addresses are checked here; nothing else of a request gets into a program's words. */
export const toolRequest = z.discriminatedUnion('tool', [
  z.strictObject({
    tool: z.literal('ping'),
    host: f.host(),
    count: z.int().min(1).max(60).default(5),
    /** Bytes of payload. */
    size: z.int().min(0).max(1472).default(56),
  }),
  z.strictObject({ tool: z.literal('traceroute'), host: f.host() }),
  z.strictObject({ tool: z.literal('mtr'), host: f.host(), rounds: z.int().min(1).max(60).default(10) }),
  z.strictObject({
    tool: z.literal('dns'),
    /** An address is asked for its name. */
    name: f.host(),
    type: z.enum(recordTypes).default('A'),
    /** Absent: the server that the asking machine uses itself. */
    server: f.hostIp().optional(),
  }),
  z.strictObject({ tool: z.literal('neighbours') }),
  z.strictObject({ tool: z.literal('port'), host: f.host(), port: f.port() }),
  /** The throughput of TCP from the device that it is run from to another device of the network. */
  z.strictObject({
    tool: z.literal('iperf3'),
    /** The device's number. */
    peer: z.int().min(1),
    seconds: z.int().min(1).max(30).default(10),
    /** From the other device to this one. */
    reverse: z.boolean().default(false),
  }),
  /** Packets as a device sees them, by tcpdump; it ends with the first of its bounds. */
  z.strictObject({
    tool: z.literal('capture'),
    /** Rule N8: what its file is called. */
    name: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,32}$/, 'captureName')
      .default('capture'),
    /** `any`: all of the device's. */
    interface: z.string().trim().refine(isInterfaceName, 'interfaceName').default('any'),
    host: f.hostIp().optional(),
    /** Rule N9. */
    port: f.port().optional(),
    /** In pcap's own language. */
    filter: z
      .string()
      .trim()
      .max(300)
      .regex(/^(?!-)[ -~]*$/, 'captureFilterText')
      .default(''),
    seconds: z.int().min(1).max(60).default(10),
    packets: z.int().min(1).max(2000).default(500),
    /** Of each packet, from its start. */
    bytes: z.int().min(64).max(1600).default(256),
  }),
  /** Why a client is slow or offline; from its gateway, which is asked for `name`. */
  z.strictObject({ tool: z.literal('client'), mac: f.mac(), name: f.host().default('example.com') }),
])
export type ToolRequest = z.output<typeof toolRequest>
export type RequestOf<T extends ToolName> = Extract<ToolRequest, { tool: T }>

/** What a test is about; empty where it is the place itself. Another device is known by the name that the figures have. */
export function targetOf({ request, figures }: { request: ToolRequest; figures?: Figures | undefined }): string {
  if (request.tool === 'neighbours') return ''
  if (request.tool === 'client') return request.mac.toUpperCase()
  if (request.tool === 'iperf3') return figures?.tool === 'iperf3' ? figures.peer : ''
  if (request.tool === 'dns') return `${request.name} ${request.type}`
  if (request.tool === 'capture')
    return [request.interface, request.host, request.port, request.filter].filter(Boolean).join(' ')
  if (request.tool !== 'port') return request.host
  return `${request.host.includes(':') ? `[${request.host}]` : request.host}:${request.port}`
}

/** Answers to pings, ms; without an answer there are no times. `jitterMs`: mean difference of one answer to the next. */
export type Echoes = {
  sent: number
  received: number
  minMs?: number
  avgMs?: number
  maxMs?: number
  jitterMs?: number
}
/** A router on the way; `address` is absent where nothing answered there. */
export type Hop = Echoes & { hop: number; address?: string }
export type Neighbour = { address: string; mac?: string; interface?: string; state?: string }

/** One packet as the product lists it. Unix ms, with microseconds behind the point; `length`: bytes on the wire. */
export type PacketRow = {
  at: number
  source: string
  destination: string
  protocol: string
  length: number
  info: string
}

/** What a diagnosis measured; it grows while it runs. */
export type Figures =
  | ({ tool: 'ping' } & Echoes)
  | { tool: 'traceroute' | 'mtr'; hops: Hop[]; reached: boolean }
  /** `none`: no such name, or no such record of it. `refused`: the server answers, and cannot or will not tell. `silent`: none answered. */
  | { tool: 'dns'; state: 'found' | 'none' | 'refused' | 'silent'; answers: string[]; ms?: number }
  | { tool: 'neighbours'; neighbours: Neighbour[] }
  /** `failed`: not open, and the device does not say why. */
  | { tool: 'port'; state: 'open' | 'refused' | 'silent' | 'unreachable' | 'failed'; ms?: number }
  /** As the receiver counted; `rates`: bit/s of each second; `resent`: segments, where the sender tells. */
  | { tool: 'iperf3'; peer: string; rates: number[]; bps?: number; bytes?: number; seconds?: number; resent?: number }
  /** `rows`: the first of them; `bytes`: of all, as on the wire; `dropped`: what the device saw and could not keep. */
  | { tool: 'capture'; packets: number; bytes: number; rows: PacketRow[]; dropped?: number }
  /** Those that are done, in their order; `client`: as it is called. */
  | { tool: 'client'; client: string; checks: Check[] }

/** Bounds of what is kept of one diagnosis, and of how long it may take. */
export const diagnosisLimits = {
  lines: 200,
  lineCharacters: 200,
  neighbours: 500,
  seconds: 120,
  hops: 30,
  /** Packets of a capture that are listed; its file has all. */
  packetRows: 300,
  /** Captures of the manager whose packets are kept. */
  captures: 20,
  /** Of a network. */
  kept: 30,
  /** Of a network at a time. */
  running: 4,
} as const
