import { readFile } from 'node:fs/promises'
import type { Reason } from '@/server/drivers/driver'
import { limiter } from '@/server/kernel/limiter'
import { reasonOf, within } from './limits'

// Looks for devices without any login: a TCP connection and the host key on port 22, SNMPv3's discovery on 161, and a
// community only where a person gave one. Bounded in number and rate.

export type SweepInput = {
  id: string
  /** IPv4 addresses, already checked and counted by the caller. */
  addresses: string[]
  sshPort?: number
  communities?: string[]
}
/** Something that answered. `ssh.reason` and `snmp.reason` say why that door did not open. */
export type Found = {
  address: string
  mac?: string
  name?: string
  description?: string
  from: 'sweep' | 'lldp' | 'arp'
  /** The managed device that told of it. */
  device?: number
  ssh?: { port: number; banner?: string; hostKey?: string; reason?: Reason }
  snmp?: { port: number; versions: ('v2c' | 'v3')[] }
}
export type SweepProgress = { done: number; total: number; found?: Found }

export type Probes = {
  ssh(address: string, port: number, signal: AbortSignal): Promise<{ banner: string; hostKey: string }>
  /** Undefined: nothing answered. */
  snmp(
    address: string,
    communities: readonly string[],
  ): Promise<{ versions: ('v2c' | 'v3')[]; name?: string; description?: string } | undefined>
}

const together = 64
/** At least this long between two addresses: a /22 takes 5 s to begin with, and no switch notices. */
const paceMs = 5
const doorMs = 4_000
const pause = (ms: number) => new Promise<void>(done => setTimeout(done, ms))
/** Nobody is there at all. */
const silence: ReadonlySet<Reason> = new Set(['timeout', 'noRoute', 'cancelled'])

async function knock(address: string, input: SweepInput, probes: Probes): Promise<Found | undefined> {
  const port = input.sshPort ?? 22
  const [ssh, snmp] = await Promise.all([
    within(doorMs, signal => probes.ssh(address, port, signal)).catch(error => ({ reason: reasonOf(error).reason })),
    within(doorMs, () => probes.snmp(address, input.communities ?? [])).catch(() => undefined),
  ])
  const silent = 'reason' in ssh && silence.has(ssh.reason)
  if (silent && !snmp) return undefined
  return {
    address,
    from: 'sweep',
    name: snmp?.name,
    description: snmp?.description,
    ...(!silent && { ssh: { port, ...ssh } }),
    ...(snmp && { snmp: { port: 161, versions: snmp.versions } }),
  }
}

/** MAC addresses of the neighbours this machine has just spoken to; none where the system does not say. */
async function neighbourMacs(): Promise<Map<string, string>> {
  const table = await readFile('/proc/net/arp', 'utf8').catch(() => '')
  const rows = table
    .split('\n')
    .slice(1)
    .map(line => line.split(/\s+/))
  return new Map(
    rows.flatMap(([address, , , mac]) =>
      address && mac && mac !== '00:00:00:00:00:00' ? [[address, mac] as const] : [],
    ),
  )
}

/** Asks every address once. Ends early, with what it has, when `signal` is aborted. */
export async function sweep(
  input: SweepInput,
  probes: Probes,
  signal: AbortSignal,
  onProgress: (progress: SweepProgress) => void,
): Promise<Found[]> {
  const doors = limiter(together)
  const found: Found[] = []
  const running: Promise<void>[] = []
  let done = 0
  for (const address of input.addresses) {
    if (signal.aborted) break
    running.push(
      doors.run(async () => {
        const one = signal.aborted ? undefined : await knock(address, input, probes)
        if (one) found.push({ ...one, mac: (await neighbourMacs()).get(address) })
        done++
        onProgress({ done, total: input.addresses.length, found: one && found.at(-1) })
      }),
    )
    await pause(paceMs)
  }
  await Promise.all(running)
  return found
}
