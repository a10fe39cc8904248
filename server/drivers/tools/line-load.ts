import type { Vantage } from '../vantage'

// What goes over an interface second by second, by the kernel's own counters, and how busy the processors are meanwhile.

// busybox's sh and Debian's; the numbers are only read here, since a small device's sh counts with 32 bits.
const script = `device=$1; left=$2
while [ "$left" -ge 0 ]; do
  read -r up _ < /proc/uptime
  read -r cpu < /proc/stat
  in=; out=
  if [ -n "$device" ]; then
    read -r in < "/sys/class/net/$device/statistics/rx_bytes"
    read -r out < "/sys/class/net/$device/statistics/tx_bytes"
  fi
  echo "$up;$in;$out;$cpu"
  left=$((left-1))
  sleep 1
done`

/** Seconds since the device's start; octets of the interface; busy and all processor time in ticks. */
export type Load = { at: number; inOctets: number; outOctets: number; busy: number; ticks: number }

/** A line of the script: `5012.33;1200;3400;cpu  10 0 20 900 5 0 1 0 0 0`. Without an interface its octets are NaN. */
export function loadOf(line: string): Load | undefined {
  const [up = '', input, output, cpu = ''] = line.split(';')
  const ticks = cpu.split(/\s+/).slice(1, 9).map(Number)
  const [at, all] = [Number(up), ticks.reduce((sum, one) => sum + one, 0)]
  // Idle, and waiting for a disk (proc_stat(5)).
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0)
  if (!up || ticks.length < 4 || !Number.isFinite(at + all)) return undefined
  const octets = (text: string | undefined) => (text ? Number(text) : Number.NaN)
  return { at, inOctets: octets(input), outOctets: octets(output), busy: all - idle, ticks: all }
}

/** How busy the processors were from one moment to another, in per cent. */
export function cpuBetween(first: Load | undefined, last: Load | undefined): number | undefined {
  const ticks = (last?.ticks ?? 0) - (first?.ticks ?? 0)
  return first && last && ticks > 0 ? Math.round(((last.busy - first.busy) / ticks) * 100) : undefined
}

/** Bits each second from one moment to another; undefined where no time has gone, or the counters went back. */
export function bpsBetween(first: Load, last: Load, side: 'inOctets' | 'outOctets'): number | undefined {
  const bps = ((last[side] - first[side]) * 8) / (last.at - first.at)
  return Number.isFinite(bps) && bps >= 0 ? Math.round(bps) : undefined
}

type Watch = { device?: string | undefined; seconds: number; signal: AbortSignal; load: (one: Load) => void }

/** Tells `load` each second, and at the beginning; ends after so many, or by the signal. Rejects with a DeviceError. */
export async function watchLoad(vantage: Vantage, { device = '', seconds, signal, load }: Watch): Promise<void> {
  await vantage.run(['sh', '-c', script, 'sh', device, String(seconds)], {
    ...{ signal, seconds: seconds + 30 },
    line(text) {
      const found = loadOf(text)
      if (found) load(found)
    },
  })
}

/** The interface by which an address is reached from there; without one, where the way to the internet begins. */
export async function interfaceTo(
  vantage: Vantage,
  address: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const words = address ? ['ip', 'route', 'get', address] : ['ip', 'route', 'show', 'default']
  const { text } = await vantage.run(words, { signal, seconds: 15 })
  return / dev ([\w.:@-]{1,15})(?:\s|$)/.exec(text.split('\n').at(0) ?? '')?.[1]
}
