import {
  DeviceError,
  type NativeBlock,
  type NativeConfig,
  type Pending,
  type PushEvents,
  type Warning,
} from '../driver'
import { quote } from '../shell'
import { marked, unmarked } from '../unix/secret'
import { list, record } from '../unix/text'
import type { UndoPlan } from '../unix/undo'
import { undoable } from '../unix/undoable'
import type { OpenwrtSession } from './observe'
import { openReader } from './ubus'
import { prefix } from './wifi'

const script = (session: OpenwrtSession, text: string) => session.ssh.exec('sh -s', { input: text, timeoutMs: 60_000 })

const ownName = new RegExp(`^uci:wireless\\.(${prefix}[A-Za-z0-9_]+)$`)

function sectionOf(block: NativeBlock): string {
  const name = ownName.exec(block.id)?.[1]
  if (!name) throw new DeviceError('internal', `${block.id} is not ours to write`)
  return name
}

// Files here run once at the next boot, before the network starts, and are removed when they succeed.
const bootHook = '/etc/uci-defaults/zz-lanward-undo'
const disarm = `rm -f ${bootHook}`

// A background job survives the end of the channel when none of its files is the channel's. One that outlives its window
// finds another change's name in the folder, or none, and does nothing.
const arm = (id: string, windowSeconds: number) => `
printf '%s\\n' ${quote(`sh /etc/lanward/undo/restore ${id} boot`)} >${bootHook} || return 1
( sleep ${Math.ceil(windowSeconds)}; sh /etc/lanward/undo/restore ${id} timer ) </dev/null >/dev/null 2>&1 &`

const settle = `[ "$mode" = boot ] || ubus call network reload`

/** Commands for `uci batch`, whose quoting is that of `uci show`. */
const batch = (blocks: NativeBlock[]): string =>
  blocks
    .flatMap(block => unmarked(block.text).split('\n'))
    .map(line => `set ${line}\n`)
    .join('')

/** The difference as sections to drop and sections to write. `uci batch` ends with 0 whatever happens: what it says is the failure. */
export function planPush(id: string, before: NativeConfig, next: NativeConfig, windowSeconds: number): UndoPlan {
  const old = new Map(before.blocks.map(block => [block.id, block.text]))
  const wanted = new Set(next.blocks.map(block => block.id))
  const changed = next.blocks.filter(block => old.get(block.id) !== block.text)
  const dropped = [...before.blocks.filter(block => !wanted.has(block.id)), ...changed].map(sectionOf)
  const drop = dropped.map(name => `uci -q delete wireless.${name}`).join('\n')
  return {
    id,
    windowSeconds,
    // Another administrator's uncommitted work would be committed with ours.
    check: `[ -z "$(uci -q changes wireless)" ] || { echo 'uncommitted changes to wireless' >&2; return 1; }`,
    files: ['/etc/config/wireless'],
    writes: [{ text: batch(changed), mode: '600' }],
    apply: `${drop}
said=$(uci batch <$D/new/0 2>&1 >/dev/null)
if [ -n "$said" ]; then echo "$said" >&2; uci -q revert wireless; return 1; fi
uci commit wireless || return 1
sync`,
    settle,
    arm: arm(id, windowSeconds),
    disarm,
  }
}

const undo = undoable<OpenwrtSession>({ driver: 'openwrt', script, disarm })
export const { confirm, revert, state } = undo

export const push = (
  session: OpenwrtSession,
  before: NativeConfig,
  next: NativeConfig,
  windowSeconds: number,
  events: PushEvents,
): Promise<Pending> => undo.push(session, id => planPush(id, before, next, windowSeconds), events)

/** Sections of ours in `uci show wireless`, with the keys marked as the renderer marks them. */
export function parseShow(text: string): NativeConfig {
  const sections = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const name = /^wireless\.(lw_[A-Za-z0-9_]+)[.=]/.exec(line)?.[1]
    if (!name) continue
    const shown = line.replace(
      /^(wireless\.\w+\.key=')(.*)'$/,
      (_all, start: string, key: string) => `${start}${marked(key)}'`,
    )
    sections.set(name, [...(sections.get(name) ?? []), shown])
  }
  return { blocks: [...sections].map(([name, lines]) => ({ id: `uci:wireless.${name}`, text: lines.join('\n') })) }
}

export async function read(session: OpenwrtSession): Promise<NativeConfig> {
  const { code, stdout } = await session.ssh.exec('uci show wireless')
  // A system without radios has no such file.
  return code === 0 ? parseShow(stdout) : { blocks: [] }
}

const settleMs = 30_000

/** What is wrong with a section's access point now; a radio that is off proves nothing wrong. */
async function down(session: OpenwrtSession, block: NativeBlock): Promise<string | undefined> {
  const reader = await openReader(session.ssh)
  const wireless = (await reader.ubus('network.wireless', 'status')) ?? {}
  const radio = record(wireless[deviceOf(block)])
  if (radio.disabled === true) return undefined
  const entry = list(radio.interfaces, 64)
    .map(record)
    .find(one => one.section === sectionOf(block))
  if (!entry?.ifname) return 'MISSING'
  const status = await reader.ubus(`hostapd.${String(entry.ifname)}`, 'get_status')
  const said = String(status?.status ?? 'DOWN')
  return said === 'ENABLED' ? undefined : said
}

const deviceOf = (block: NativeBlock) => /\.device='([^']*)'/.exec(block.text)?.[1] ?? ''

/** `up` of the radio proves nothing: each access point's own hostapd object has to say ENABLED. A radio that is off proves nothing wrong. */
export async function verify(session: OpenwrtSession, next: NativeConfig): Promise<Warning[]> {
  const until = Date.now() + settleMs
  const problems: Warning[] = []
  for (const block of next.blocks) {
    for (;;) {
      const state = await down(session, block)
      if (state === undefined) break
      if (Date.now() > until) {
        const values = { radio: deviceOf(block), state }
        problems.push({ code: 'hostapdDown', kind: 'ssid', document: block.document, values })
        break
      }
      await new Promise(wake => setTimeout(wake, 1_000))
    }
  }
  return problems
}

const sorted = (text: string) => text.split('\n').sort().join('\n')

/** Order of the options is not part of a section's meaning. */
export const equal = (planned: NativeBlock, seen: NativeBlock): boolean => sorted(planned.text) === sorted(seen.text)
