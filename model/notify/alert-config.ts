import * as z from 'zod'
import { f } from '../fields'

/** Events that a network can do without being told of; that a device is offline is always told. */
export const switchable = [
  'deviceRestarted',
  'cpuHigh',
  'memoryHigh',
  'temperatureHigh',
  'portDown',
  'portErrors',
  'wanOffline',
  'wanDegraded',
  'wifiClients',
] as const
export type Switchable = (typeof switchable)[number]

/** What a network's people are told of, and from when on. */
export const alertConfig = z.strictObject({
  /** Rule W11: so long a device has to be offline before anybody is told. */
  offlineMinutes: f.int(2, 120, { unit: 'minutes', rule: 'W11' }).default(2),
  off: z.array(z.enum(switchable)).max(switchable.length).default(['deviceRestarted', 'portDown']),
  /** So long a value has to be too high. */
  levelMinutes: f.int(1, 120, { unit: 'minutes' }).default(5),
  cpuPercent: f.int(50, 100, { unit: 'percent' }).default(95),
  memoryPercent: f.int(50, 100, { unit: 'percent' }).default(95),
  temperature: f.int(30, 120).default(80),
  /** Of all ports of a device, within about an hour. */
  portErrors: f.int(1, 1_000_000).default(1000),
  /** On one device. */
  wifiClients: f.int(1, 1000).default(100),
  /** By the network's clock; what is not at least that grave is told at their end, all in one. */
  quiet: f.boolean().default(false),
  quietFrom: f.time().default('22:00'),
  quietUntil: f.time().default('07:00'),
  quietLevel: f.choice(['5', '10'], { menu: true }).default('5'),
})
export type AlertConfig = z.output<typeof alertConfig>
