import type { Sample } from '@/server/history/sample'
import type { PolledDevice } from './polled-device'
import type { NetworkTraffic, WanRate } from './protocol'
import { sumOf } from './rates'
import { ssidSample } from './ssid-traffic'

/**
 * A network's traffic: what its gateways carry to and from the internet; where none says which interface that is,
 * what all its devices carry together.
 */
export function trafficOf(entries: readonly PolledDevice[]): NetworkTraffic {
  const online = entries.filter(entry => entry.status === 1)
  const gateways = online.filter(
    ({ device, wan }) => (device.kind === 'gateway' || device.kind === 'firewall') && wan.length > 0,
  )
  const sum = (side: 0 | 1) =>
    (gateways.length ? gateways : online).reduce<number | undefined>((total, { counters, wan, traffic }) => {
      const own = sumOf(counters.rates, gateways.length ? wan : traffic, side)
      return own === undefined ? total : (total ?? 0) + own
    }, undefined)
  return { source: gateways.length ? 'wan' : 'devices', inBps: sum(0), outBps: sum(1) }
}

/** A minute of a network for its charts; `seconds` is how long its rates held. */
export function networkSample(entries: readonly PolledDevice[], seconds: number, clients: number | undefined): Sample {
  const { inBps, outBps } = trafficOf(entries)
  const known = inBps !== undefined && outBps !== undefined
  return {
    answered: entries.some(entry => entry.status === 1),
    ...(known && { seconds, inOctets: (inBps * seconds) / 8, outOctets: (outBps * seconds) / 8 }),
    clients,
    counters: ssidSample(entries, seconds),
  }
}

/** What each interface to the internet of the gateways that answer carried between the last two polls. */
export function wanRates(entries: readonly PolledDevice[]): WanRate[] {
  const known = (bps: number | undefined) => (bps === undefined || Number.isNaN(bps) ? undefined : bps)
  return entries
    .filter(({ status, device }) => status === 1 && (device.kind === 'gateway' || device.kind === 'firewall'))
    .flatMap(({ device, wan, counters: { at, keys, rates } }) =>
      wan.map(index => ({
        ...{ device: device.id, interface: keys[index] ?? '', at },
        ...{ inBps: known(rates[index * 2]), outBps: known(rates[index * 2 + 1]) },
      })),
    )
}
