import type { NativeBlock, Warning } from '../driver'
import { lines, list, record } from '../unix/text'
import { isTaken, sectionOf } from './package'
import type { OpenwrtSession } from './session'
import { parseSections } from './show'
import { openReader } from './ubus'

// Whether netifd and dnsmasq follow what was committed: neither says so when it is told to.

const settleMs = 30_000
const everyMs = 1_000

type Table = Record<string, unknown>
type Check = { warning: Warning; holds: boolean }

/** What is owned of a section of the system's own comes without its head. */
const parsed = (block: NativeBlock) =>
  parseSections(isTaken(block) ? `${block.id.replace(/^uci:/, '')}=taken\n${block.text}` : block.text)[0]
const optionsOf = (block: NativeBlock) => parsed(block)?.options ?? {}
const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/** Asks until all holds or the time is up, and says what does not. */
async function settled(ask: () => Promise<Check[]>, waitMs = settleMs): Promise<Warning[]> {
  const until = Date.now() + waitMs
  for (;;) {
    const wrong = (await ask()).filter(one => !one.holds)
    if (wrong.length === 0 || Date.now() > until) return wrong.map(one => one.warning)
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
    block => ['interface', 'taken'].includes(parsed(block)?.type ?? '') && (code === 0 || !onVlan(block)),
  )
  return settled(async () => {
    const reader = await openReader(session.ssh)
    const dump = list((await reader.ubus('network.interface', 'dump'))?.interface, 256).map(record)
    return wanted.flatMap(block => interfaceCheck(block, dump) ?? [])
  }, waitMs)
}

// odhcpd may be the one that serves (`maindhcp`): it writes no such file.
const pools = `[ "$(uci -q get dhcp.odhcpd.maindhcp)" != 1 ] && ls /var/etc/dnsmasq.conf* >/dev/null 2>&1 || { echo unknown; exit 0; }
pidof dnsmasq >/dev/null && echo running
sed -n 's/^dhcp-range=/range /p' /var/etc/dnsmasq.conf*`

const served = (block: NativeBlock): string | undefined => {
  const { interface: name, dhcpv4, start } = optionsOf(block)
  return start !== undefined && dhcpv4 === 'server' ? first(name) : undefined
}

/** Networks whose device has no carrier: dnsmasq serves them once there is one (its init script's dhcp_check). */
async function unplugged(session: OpenwrtSession): Promise<Set<unknown>> {
  const reader = await openReader(session.ssh)
  const status = await reader.ubus('network.device', 'status')
  const dump = list((await reader.ubus('network.interface', 'dump'))?.interface, 256).map(record)
  const silent = dump.filter(one => record(status?.[String(one.l3_device ?? one.device)]).carrier === false)
  return new Set(silent.map(one => one.interface))
}

/** Each pool stands in what dnsmasq was started with: a network that was not up by then, or has another server, has none. */
export async function verifyDhcp(
  session: OpenwrtSession,
  blocks: readonly NativeBlock[],
  waitMs?: number,
): Promise<Warning[]> {
  const wanted = blocks.flatMap(block => {
    const name = served(block)
    return name === undefined ? [] : [{ block, name }]
  })
  if (wanted.length === 0) return []
  return settled(async () => {
    const told = lines((await session.ssh.exec(pools)).stdout)
    const off = await unplugged(session)
    return wanted.map(({ block, name }) => ({
      holds:
        told.includes('unknown') ||
        off.has(name) ||
        (told.includes('running') && told.some(line => line.startsWith('range ') && line.includes(`set:${name},`))),
      warning: { kind: 'lan', document: block.document, code: 'lanDhcpDown', values: { interface: name } },
    }))
  }, waitMs)
}
