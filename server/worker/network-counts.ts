import type { PolledDevice } from './polled-device'
import { networkSample } from './traffic'
import type { WorkerState } from './worker-state'

type Counted = Pick<WorkerState, 'live' | 'history' | 'clients'> & { poller: Pick<WorkerState['poller'], 'entries'> }

function entriesByNetwork(entries: Iterable<PolledDevice>): Map<number, PolledDevice[]> {
  const byNetwork = new Map<number, PolledDevice[]>()
  for (const entry of entries) {
    const own = byNetwork.get(entry.device.network)
    if (own) own.push(entry)
    else byNetwork.set(entry.device.network, [entry])
  }
  return byNetwork
}

/**
 * Writes how many clients hang on each device into the live table and, with `sampleMs`, each network's sums for its
 * chart into the history: rates that held so long.
 */
export function countNetworks({ live, history, clients, poller }: Counted, at: number, sampleMs?: number): void {
  for (const [network, entries] of entriesByNetwork(poller.entries.values())) {
    const counted = clients.byDevice(network)
    for (const { device } of entries) {
      const own = counted.get(device.id)
      live.put(device.row, 'clients', own?.clients)
      live.put(device.row, 'wifiClients', own?.wifi)
      live.put(device.row, 'countedAt', clients.has(device.id) ? at : undefined)
    }
    if (sampleMs === undefined) continue
    const sample = networkSample(entries, sampleMs / 1000, clients.counts(network).total)
    history.add({ of: 'network', id: network }, at, sample)
  }
}
