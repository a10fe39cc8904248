import { readFile } from 'node:fs/promises'
import type { FoundHost, SnmpVersion } from '@/model/found-host'
import type { Announcement } from '@/server/drivers/announce/announcement'
import type { Credential, Reason } from '@/server/drivers/driver'
import { limiter } from '@/server/kernel/limiter'
import { likelyKind, type Signs } from './likely-kind'
import { reasonOf, within } from './limits'
import type { MacOwners } from './mac-vendors'

// Looks for devices without any login: a TCP connection and the host key on port 22, SNMPv3's discovery on 161, one
// question to the segment by mDNS, SSDP and WS-Discovery, and an SNMP login only where a person chose one. Bounded in
// number and rate.

export type SnmpLogin = Exclude<Credential, { type: 'ssh' }>

export type SweepInput = {
  id: string
  /** IPv4 addresses, already checked and counted by the caller. */
  addresses: string[]
  sshPort?: number
  /** SNMP logins to try on what answers, in this order. */
  logins?: SnmpLogin[]
  /** Where the registry of MAC addresses lies. */
  macs?: string
  /** What managed devices tell of addresses that they know. */
  neighbours?: Record<string, { mac?: string; capabilities?: string[] }>
}
export type Found = FoundHost<Reason>
/** `found` comes again, with more, when more is heard of it. */
export type SweepProgress = { done: number; total: number; found?: Found }
/** What an SNMP agent shows to a login, and without one that it is there. */
export type Greeted = {
  versions: SnmpVersion[]
  name?: string
  description?: string
  objectId?: string
}

export type Probes = {
  /** What the LAN's DNS calls an address; undefined where it does not say so within a second. */
  name(address: string): Promise<string | undefined>
  ssh(address: string, port: number, signal: AbortSignal): Promise<{ banner: string; hostKey: string }>
  /** Undefined: nothing answered. */
  snmp(address: string, logins: readonly SnmpLogin[]): Promise<Greeted | undefined>
  /** What devices on this machine's segments say of themselves, by address. */
  announcements(addresses: readonly string[], signal: AbortSignal): Promise<Map<string, Announcement>>
  macOwners(file: string): Promise<MacOwners>
}

const together = 64
/** At least this long between two addresses: a /22 takes 5 s to begin with, and no switch notices. */
const paceMs = 5
const doorMs = 4_000
const pause = (ms: number) => new Promise<void>(done => setTimeout(done, ms))
/** Nobody is there at all. */
const silence: ReadonlySet<Reason> = new Set(['timeout', 'noRoute', 'cancelled'])

type Knocked = Pick<Found, 'ssh' | 'snmp'> & { greeted?: Greeted }

/** How both doors of an address stand; undefined where nobody is. */
async function knock(address: string, input: SweepInput, probes: Probes): Promise<Knocked | undefined> {
  const port = input.sshPort ?? 22
  const [ssh, greeted] = await Promise.all([
    within(doorMs, signal => probes.ssh(address, port, signal)).catch(error => ({ reason: reasonOf(error).reason })),
    within(doorMs * (1 + (input.logins?.length ?? 0)), () => probes.snmp(address, input.logins ?? [])).catch(
      () => undefined,
    ),
  ])
  const silent = 'reason' in ssh && silence.has(ssh.reason)
  if (silent && !greeted) return undefined
  return {
    ...(!silent && { ssh: { port, ...ssh } }),
    ...(greeted && { snmp: { port: 161, versions: greeted.versions }, greeted }),
  }
}

/** What is known of an address so far, gathered by the parts of a search. */
type Known = { mac?: string; name?: string; knocked?: Knocked; announced?: Announcement; capabilities?: string[] }

function describe(address: string, known: Known, ownerOf: MacOwners): Found {
  const { mac, knocked, announced, capabilities } = known
  const owner = mac ? ownerOf(mac) : undefined
  const signs: Signs = {
    name: knocked?.greeted?.name ?? announced?.name ?? known.name,
    model: announced?.model,
    objectId: knocked?.greeted?.objectId,
    description: knocked?.greeted?.description,
    banner: knocked?.ssh?.banner,
    vendor: owner && 'vendor' in owner ? owner.vendor : undefined,
    services: announced?.services,
    capabilities,
  }
  const found: Found = {
    ...{ address, mac, from: 'sweep', name: signs.name, model: signs.model, description: signs.description },
    ...{ objectId: signs.objectId, services: signs.services?.length ? signs.services : undefined },
    ...{ vendor: signs.vendor, likely: likelyKind(signs), ssh: knocked?.ssh, snmp: knocked?.snmp },
    ...(owner && 'private' in owner && { privateMac: true }),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Found
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

const nobody: MacOwners = () => undefined

const macIn = (macs: ReadonlyMap<string, string> | undefined, address: string): { mac?: string } => {
  const mac = macs?.get(address)
  return mac === undefined ? {} : { mac }
}

/** Asks every address once. Ends early, with what it has, when `signal` is aborted. */
export async function sweep(
  input: SweepInput,
  probes: Probes,
  signal: AbortSignal,
  onProgress: (progress: SweepProgress) => void,
): Promise<Found[]> {
  const { addresses, neighbours = {} } = input
  const doors = limiter(together)
  const known = new Map<string, Known>()
  const found = new Map<string, Found>()
  let done = 0
  const ownerOf = input.macs ? await probes.macOwners(input.macs) : nobody
  const tell = (address: string, more: Partial<Known>) => {
    const all = { ...neighbours[address], ...known.get(address), ...more }
    known.set(address, all)
    const one = describe(address, all, ownerOf)
    found.set(address, one)
    onProgress({ done, total: addresses.length, found: one })
  }
  const ask = async (address: string) => {
    const knocked = signal.aborted ? undefined : await knock(address, input, probes)
    done++
    if (!knocked) return onProgress({ done, total: addresses.length })
    const name = knocked.greeted?.name ?? (await probes.name(address))
    tell(address, { knocked, name, ...macIn(await neighbourMacs(), address) })
  }
  const hear = async () => {
    const heard = await probes.announcements(addresses, signal)
    const macs = heard.size > 0 ? await neighbourMacs() : undefined
    for (const [address, announced] of heard) tell(address, { announced, ...macIn(macs, address) })
  }
  const running = [hear()]
  for (const address of addresses) {
    if (signal.aborted) break
    running.push(doors.run(() => ask(address)))
    await pause(paceMs)
  }
  await Promise.all(running)
  return [...found.values()]
}
