import { logsPart } from '@/server/insight/logs/reception'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import type { Recording } from '@/server/worker/intake/records'
import { type LogServers, startLogServers } from './log-server'
import { recordedKinds, type TrafficLogs, trafficLogsNow } from './settings'

export type Records = {
  /** What is recorded of a network, as it is in force; undefined: nobody set anything. */
  logs(network: number): TrafficLogs | undefined
  servers: LogServers
}
export const recordsPart = part<Records>('records')

/** Settings that were changed are in force after so long. */
const changedMs = 50
/** Groups and devices may move with nobody saying so. */
const lookMs = 60_000

/** As the thread is told it: networks that record nothing are not named, and what is there of them is deleted. */
const recordingOf = (logs: ReadonlyMap<number, TrafficLogs>): Recording =>
  Object.fromEntries(
    [...logs].flatMap(([network, own]) => {
      const kinds = recordedKinds(own)
      return kinds.length ? [[network, { kinds, days: own.keepDays }]] : []
    }),
  )

type Ways = { settings(runtime: Runtime): ReadonlyMap<number, TrafficLogs> } & NonNullable<
  Parameters<typeof startLogServers>[1]
>

/** Keeps records of the traffic of networks whose settings say so, and sends them. After `startLogs`. */
export function startRecords(runtime: Runtime, { settings = trafficLogsNow, ...ways }: Partial<Ways> = {}): void {
  const servers = startLogServers(runtime, ways)
  let logs: ReadonlyMap<number, TrafficLogs> = new Map()
  let told: string | undefined
  let soon: NodeJS.Timeout | undefined
  const renew = () => {
    clearTimeout(soon)
    soon = undefined
    logs = settings(runtime)
    const text = JSON.stringify([...logs])
    if (text === told) return
    logsPart.of(runtime).record(recordingOf(logs))
    servers.know(logs)
    told = text
    for (const network of logs.keys()) runtime.bus.emit({ topic: 'records', network })
  }
  const unhear = runtime.bus.on(({ topic }) => {
    if (topic === 'settings' || topic === 'networks' || topic === 'networkGone')
      soon ??= setTimeout(renew, changedMs).unref()
  })
  const looking = setInterval(renew, lookMs).unref()
  runtime.closers.push(async () => {
    unhear()
    clearTimeout(soon)
    clearInterval(looking)
  })
  logsPart.of(runtime).onRecorded(networks => {
    servers.wake(networks)
    for (const network of networks) runtime.bus.emit({ topic: 'records', network })
  })
  recordsPart.start(runtime, { logs: network => logs.get(network), servers })
  renew()
}
