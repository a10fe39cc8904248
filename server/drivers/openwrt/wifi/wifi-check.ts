import type { NativeBlock, Warning } from '../../driver'
import { command } from '../../shell'
import { clean, lines, list, record } from '../../unix/text'
import { isImported, sectionOf } from '../uci/package'
import { isSecret } from '../uci/package-secrets'
import type { OpenwrtSession } from '../uci/session'
import { openReader, type Reader } from '../uci/ubus'
import { optionsOf } from './wifi-back'

// Whether netifd and hostapd send what was committed: neither says so when it is told to.

const settleMs = 30_000

type Table = Record<string, unknown>

/** What the device says of its Wi-Fi at one moment. */
type Air = {
  reader: Reader
  /** Of netifd, by their sections. */
  radios: Table
  /** Interfaces that hostapd was told to send without encryption. */
  open: ReadonlySet<string>
  /** Interface → the bridge that it is in, empty where it is in none. */
  bridges: ReadonlyMap<string, string>
  /** Network → its device. */
  networks: ReadonlyMap<unknown, string>
  /** What the system's scripts said, where a radio gave up. */
  log: readonly string[]
}

// hostapd's own file, as iwinfo reads it too, but only its first kilobytes, and where LuCI is. Keys stay on the device.
const askFiles = `sed -n -e 's/^interface=/air /p' -e 's/^bss=/air /p' -e 's/^wpa=[1-9].*/secured/p' \\
  -e 's/^wep_key[0-9]=.*/secured/p' /var/run/hostapd-*.conf 2>/dev/null
for one in /sys/class/net/*; do
  bridge=$(readlink "$one/master"); echo "link \${one##*/} \${bridge##*/}"
done`

/** Whatever follows an interface's name is about it. */
function openIn(told: readonly string[][]): Set<string> {
  const open = new Set<string>()
  let at = ''
  for (const [word, name = ''] of told) {
    if (word === 'air') {
      at = name
      open.add(at)
    } else if (word === 'secured') open.delete(at)
  }
  return open
}

const isVlan = (block: NativeBlock) => /^wireless\.\w+=wifi-vlan$/m.test(block.text)

async function readAir(session: OpenwrtSession, blocks: readonly NativeBlock[]): Promise<Air> {
  const reader = await openReader(session.ssh)
  const radios = (await reader.ubus('network.wireless', 'status')) ?? {}
  const told = lines(await reader.run('sh', '-c', askFiles)).map(line => line.split(' '))
  const gaveUp = Object.values(radios).some(one => record(one).retry_setup_failed === true)
  const dump = blocks.some(isVlan) ? await reader.ubus('network.interface', 'dump') : undefined
  return {
    ...{ reader, radios, open: openIn(told) },
    log: gaveUp ? lines(await reader.run('logread', '-e', 'wifi-scripts')) : [],
    bridges: new Map(told.flatMap(([word, name, bridge = '']) => (word === 'link' && name ? [[name, bridge]] : []))),
    networks: new Map(
      list(dump?.interface, 256)
        .map(record)
        .flatMap(one => (one.l3_device ? [[one.interface, String(one.l3_device)]] : [])),
    ),
  }
}

/** netifd's entry of a section, with the radio that it is on. */
function entryOf(section: string | undefined, { radios }: Air): { radio: string; entry: Table } | undefined {
  for (const [radio, value] of Object.entries(radios)) {
    const entry = list(record(value).interfaces, 64)
      .map(record)
      .find(one => one.section === section)
    if (entry) return { radio, entry }
  }
  return undefined
}

const isOff = async ({ ssh }: OpenwrtSession, section: string) =>
  (await ssh.exec(command('uci', '-q', 'get', `wireless.${section}.disabled`))).stdout.trim() === '1'

/**
 * The value that took a radio down, in the words of the system's scripts: they end at the first one, whoever set it, which
 * their schema does not have.
 */
function refused({ log }: Air, radio: string): string {
  const said = log
    .filter(line => line.includes(` ${radio} (`))
    .flatMap(line => /wifi-scripts: ((\w+): .*(has to be .*))$/.exec(line) ?? [])
  const [whole, option = '', rule] = said.slice(-3)
  return clean(isSecret('wireless', option) ? `${option} ${rule}` : whole, 200) ?? 'FAILED'
}

/** Clients of a VLAN in another bridge than the network's reach nothing; hostapd makes the interface, where it can. */
function vlanState(block: NativeBlock, entry: Table, { bridges, networks }: Air): string | undefined {
  const of = optionsOf(block.text)
  const name = `${String(entry.ifname)}-${of.get('name')}`
  const [bridge, device] = [bridges.get(name), networks.get(of.get('network'))]
  if (bridge === undefined || device === undefined) return undefined
  return [device, device.replace(/\.\d+$/, '')].includes(bridge) ? undefined : `${name} master ${bridge || '-'}`
}

const plain: readonly (string | undefined)[] = [undefined, 'none', 'open']

/** The mesh of a radio that has not connected: from 25.12 on the radio's networks start after it (`start_disabled`). */
async function isMeshAwaited(radio: string, { reader, radios }: Air): Promise<boolean> {
  const mesh = list(record(radios[radio]).interfaces, 64)
    .map(record)
    .find(one => record(one.config).mode === 'mesh' && one.ifname)
  if (!mesh) return false
  const link = await reader.ubus('network.device', 'status', { name: String(mesh.ifname) })
  return link?.carrier !== true
}

async function sentState(block: NativeBlock, { ifname }: Table, { reader, open }: Air): Promise<string | undefined> {
  const of = optionsOf(block.text)
  // A mesh has no hostapd: its interface has a carrier once it has joined.
  if (of.get('mode') === 'mesh') {
    const link = await reader.ubus('network.device', 'status', { name: String(ifname) })
    return link?.carrier === true ? undefined : 'DOWN'
  }
  const hostapd = await reader.ubus(`hostapd.${String(ifname)}`, 'get_status')
  const said = String(hostapd?.status ?? 'DOWN')
  if (said !== 'ENABLED') return said
  return open.has(String(ifname)) && !plain.includes(of.get('encryption')) ? 'OPEN' : undefined
}

/** The radio that a section is about; undefined for a section of none. */
const radioOf = (block: NativeBlock, air: Air): string | undefined => {
  const { section } = sectionOf(block)
  const of = optionsOf(block.text)
  if (Object.hasOwn(air.radios, section)) return section
  return of.get('device') ?? entryOf(isVlan(block) ? of.get('iface') : section, air)?.radio
}

/** What is wrong with a section now; a radio that is off proves nothing wrong. */
async function stateOf(session: OpenwrtSession, block: NativeBlock, radio: string, air: Air) {
  const { section } = sectionOf(block)
  const now = record(air.radios[radio])
  if (now.disabled === true) return undefined
  // What hostapd says until netifd has set the radio up anew is of before.
  if (now.pending === true) return 'PENDING'
  const failed = now.retry_setup_failed === true
  if (section === radio) return failed ? refused(air, radio) : undefined
  const entry = entryOf(isVlan(block) ? optionsOf(block.text).get('iface') : section, air)?.entry
  if (isVlan(block)) return entry && vlanState(block, entry, air)
  if (entry?.ifname) return sentState(block, entry, air)
  // Whether an imported section is switched on at all is not known here; one of ours may be off by its hours.
  if (!(failed || !isImported(block)) || (await isOff(session, section))) return undefined
  return failed ? refused(air, radio) : 'MISSING'
}

async function problemsOf(session: OpenwrtSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const air = await readAir(session, blocks)
  const problems: Warning[] = []
  for (const block of blocks) {
    const radio = radioOf(block, air)
    const state = radio === undefined ? undefined : await stateOf(session, block, radio, air)
    if (radio === undefined || state === undefined) continue
    const about = { kind: block.kind ?? 'ssid', document: block.document }
    const awaited = about.kind === 'ssid' && state !== 'OPEN' && (await isMeshAwaited(radio, air))
    problems.push({ code: awaited ? 'meshAwaited' : 'hostapdDown', ...about, values: { radio, state } })
  }
  return problems
}

/**
 * `up` of the radio proves nothing: each access point's own hostapd object has to say ENABLED, with encryption where it is
 * asked for, and each VLAN's interface has to be in its network's bridge.
 */
export async function verifyWireless(
  session: OpenwrtSession,
  blocks: readonly NativeBlock[],
  waitMs = settleMs,
): Promise<Warning[]> {
  for (const until = Date.now() + waitMs; ; ) {
    const problems = await problemsOf(session, blocks)
    if (problems.length === 0 || Date.now() > until) return problems
    await new Promise(wake => setTimeout(wake, 1_000))
  }
}
