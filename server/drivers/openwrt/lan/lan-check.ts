import type { NativeBlock, Warning } from '../../driver'
import { lines, list, record } from '../../unix/text'
import { isImported, sectionOf } from '../uci/package'
import type { OpenwrtSession } from '../uci/session'
import { parseSections } from '../uci/show'
import { openReader } from '../uci/ubus'

// Whether netifd and dnsmasq follow what was committed: neither says so when it is told to.

const settleMs = 30_000
const everyMs = 1_000

type Table = Record<string, unknown>
type Check = { warning: Warning; holds: boolean }

/** What is imported of a section of the system's own comes without its head. */
const parsed = (block: NativeBlock) =>
  parseSections(isImported(block) ? `${block.id.replace(/^uci:/, '')}=imported\n${block.text}` : block.text)[0]
const optionsOf = (block: NativeBlock) => parsed(block)?.options ?? {}
const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/** Asks until all holds or the time is up, and says what does not. */
async function settled(ask: () => Promise<Check[]>, waitMs = settleMs): Promise<Warning[]> {
  const until = Date.now() + waitMs
  for (;;) {
    const wrong = (await ask()).filter(one => !one.holds)
    if (wrong.length === 0 || Date.now() >= until) return wrong.map(one => one.warning)
    await new Promise(wake => setTimeout(wake, everyMs))
  }
}

/** The address that a section sets stands on its interface, and the protocol is the one that was asked for. */
function interfaceCheck(block: NativeBlock, dump: readonly Table[]): Check | undefined {
  const { section } = sectionOf(block)
  const { ipaddr, proto } = optionsOf(block)
  const address = first(ipaddr)?.split('/')[0]
  const seen = dump.find(one => one.interface === section)
  const about = { kind: block.kind, document: block.document }
  // A protocol whose package is missing becomes `none`, without a word.
  if (proto !== undefined && seen !== undefined && seen.proto !== proto) {
    const values = { interface: section, protocol: String(proto) }
    return { holds: false, warning: { ...about, code: 'protocolDown', values } }
  }
  if (address === undefined) return undefined
  const holds = list(seen?.['ipv4-address'], 64).some(one => record(one).address === address)
  return { holds, warning: { ...about, code: 'lanAddressMissing', values: { interface: section } } }
}

/** A VLAN of a kernel that knows none is told by the plan, and nothing that a push could wait for. */
const onVlan = (block: NativeBlock) => String(first(optionsOf(block).device) ?? '').includes('.')

export async function verifyNetwork(
  session: OpenwrtSession,
  blocks: readonly NativeBlock[],
  waitMs?: number,
): Promise<Warning[]> {
  const { code } = await session.ssh.exec('[ -e /proc/net/vlan ]')
  const wanted = blocks.filter(
    block => ['interface', 'imported'].includes(parsed(block)?.type ?? '') && (code === 0 || !onVlan(block)),
  )
  return settled(async () => {
    const reader = await openReader(session.ssh)
    const dump = list((await reader.ubus('network.interface', 'dump'))?.interface, 256).map(record)
    return wanted.flatMap(block => interfaceCheck(block, dump) ?? [])
  }, waitMs)
}

// odhcpd may be the one that serves (`maindhcp`), or a program that has no such file. `off`: not started on purpose.
const pools = `pidof dnsmasq >/dev/null && echo running
{ [ -x /etc/init.d/dnsmasq ] && /etc/init.d/dnsmasq enabled; } 2>/dev/null || echo off
[ "$(uci -q get dhcp.odhcpd.maindhcp)" != 1 ] && ls /var/etc/dnsmasq.conf* >/dev/null 2>&1 || echo elsewhere
sed -n 's/^dhcp-range=/range /p' /var/etc/dnsmasq.conf* 2>/dev/null`

type Wanted = {
  block: NativeBlock
  /** The network that the section is about, as far as it is told; its own name otherwise. */
  name: string
  /** It wants addresses to be given out; else that nothing of it ends the server is all there is to prove. */
  pool: boolean
  /** Without the server it means nothing. */
  needs: boolean
}

function networkOf(block: NativeBlock, all: readonly NativeBlock[]): string {
  const own = first(optionsOf(block).interface)
  if (own !== undefined || isImported(block)) return own ?? sectionOf(block).section
  const isPool = (one: NativeBlock) => isImported(one) || optionsOf(one).interface !== undefined
  const pool = all.find(one => one.document !== undefined && one.document === block.document && isPool(one))
  return pool ? networkOf(pool, all) : sectionOf(block).section
}

function wantedOf(block: NativeBlock, all: readonly NativeBlock[]): Wanted {
  const { dhcpv4, start } = optionsOf(block)
  const pool = !isImported(block) && start !== undefined && dhcpv4 === 'server'
  return { block, name: networkOf(block, all), pool, needs: !isImported(block) && dhcpv4 !== 'disabled' }
}

/** Networks whose device has no carrier: dnsmasq serves them once there is one (its init script's dhcp_check). */
async function unplugged(session: OpenwrtSession): Promise<Set<unknown>> {
  const reader = await openReader(session.ssh)
  const status = await reader.ubus('network.device', 'status')
  const dump = list((await reader.ubus('network.interface', 'dump'))?.interface, 256).map(record)
  const silent = dump.filter(one => record(status?.[String(one.l3_device ?? one.device)]).carrier === false)
  return new Set(silent.map(one => one.interface))
}

/**
 * dnsmasq runs, whatever section of it was written: one that contradicts another, its owner's too, ends it. And each pool
 * stands in what it was started with: a network that was not up by then, or has another server, has none.
 */
export async function verifyDhcp(
  session: OpenwrtSession,
  blocks: readonly NativeBlock[],
  waitMs?: number,
): Promise<Warning[]> {
  const wanted = blocks.map(block => wantedOf(block, blocks))
  const wrong = await settled(async () => {
    const told = lines((await session.ssh.exec(pools)).stdout)
    const unheard = wanted.some(one => one.pool) ? await unplugged(session) : new Set()
    const elsewhere = told.includes('elsewhere')
    const lives = ({ name, needs }: Wanted) =>
      told.includes('running') || (told.includes('off') && (elsewhere || !needs || unheard.has(name)))
    const serves = ({ name, pool }: Wanted) =>
      !pool ||
      elsewhere ||
      unheard.has(name) ||
      told.some(line => line.startsWith('range ') && line.includes(`set:${name},`))
    return wanted.map(one => ({
      holds: lives(one) && serves(one),
      warning: { kind: 'lan', document: one.block.document, code: 'lanDhcpDown', values: { interface: one.name } },
    }))
  }, waitMs)
  return wrong.filter((one, at) => wrong.findIndex(other => other.values?.interface === one.values?.interface) === at)
}
