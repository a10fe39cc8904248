import type { Observation } from '@/server/drivers/observation'
import type { Sample } from '@/server/history/sample'
import { intern } from '@/server/kernel/intern'
import type { PolledDevice, SsidInterface } from './polled-device'

// What each Wi-Fi network carries, over all access points of a network: kept beside the network's own sums, where its
// SSIDs stand as a device's interfaces do.

/** Most SSIDs of a network that are counted; devices choose what they say. */
const most = 128

/** The SSIDs of a reading whose interface it names; those that are down, too: their counters stand still. */
export function ssidInterfaces({ bss = [], interfaces = [] }: Observation): readonly SsidInterface[] {
  const keys = new Map(interfaces.flatMap(one => [[one.name, one.key] as const, [one.key, one.key] as const]))
  return intern(
    bss.flatMap(({ ssid, interface: name }) => {
      const key = name === undefined ? undefined : keys.get(name)
      return key === undefined || ssid === '' ? [] : [{ ssid, key }]
    }),
  )
}

/** Where the counters of a device's SSIDs lie; devices alike share their lists, and so the places. */
type Places = { keys: readonly string[]; at: Int32Array }
const known = new WeakMap<readonly SsidInterface[], Places>()

function placesOf(ssids: readonly SsidInterface[], keys: readonly string[]): Int32Array {
  const held = known.get(ssids)
  if (held?.keys === keys) return held.at
  const at = Int32Array.from(ssids, one => keys.indexOf(one.key))
  known.set(ssids, { keys, at })
  return at
}

type Bps = { in: number; out: number }

function addRates(sums: Map<string, Bps>, { ssids, counters: { keys, rates } }: PolledDevice): void {
  const places = placesOf(ssids, keys)
  for (let index = 0; index < places.length; index++) {
    const cell = (places[index] ?? -1) * 2
    const [inBps, outBps, ssid] = [rates[cell] ?? Number.NaN, rates[cell + 1] ?? Number.NaN, ssids[index]?.ssid]
    if (ssid === undefined || Number.isNaN(inBps) || Number.isNaN(outBps)) continue
    const sum = sums.get(ssid) ?? { in: 0, out: 0 }
    sums.set(ssid, sum)
    sum.in += inBps
    sum.out += outBps
  }
}

/** Octets of each SSID in `seconds` at the rates of the last polls; undefined where no access point tells any. */
export function ssidSample(entries: readonly PolledDevice[], seconds: number): Sample['counters'] {
  const sums = new Map<string, Bps>()
  for (const entry of entries) if (entry.status === 1 && entry.ssids.length > 0) addRates(sums, entry)
  if (sums.size === 0) return undefined
  const keys = intern([...sums.keys()].sort().slice(0, most))
  const octets = (bps: number) => (bps * seconds) / 8
  const deltas = keys.flatMap(key => [octets(sums.get(key)?.in ?? 0), octets(sums.get(key)?.out ?? 0)])
  return { store: { keys, deltas: Float64Array.from(deltas) }, seconds }
}
