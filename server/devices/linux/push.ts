import { DeviceError, type NativeBlock, type NativeConfig, type Pending, type PushEvents } from '../driver'
import { quote } from '../shell'
import { parseHostapdStatus } from '../unix/hostapd'
import { marked, unmarked } from '../unix/secret'
import type { UndoPlan } from '../unix/undo'
import { undoable } from '../unix/undoable'
import { type LinuxSession, script } from './observe'
import { newMark, parseParts } from './parts'
import { unitName, unitPath } from './wifi'

/** What this driver may write, and nothing else. */
const owned = [
  /^\/etc\/hostapd\/lanward-[A-Za-z0-9._-]+\.conf$/,
  /^\/etc\/systemd\/system\/lanward-hostapd@\.service$/,
  /^\/etc\/systemd\/system\/multi-user\.target\.d\/lanward-hostapd-[A-Za-z0-9._-]+\.conf$/,
]

function pathOf(block: NativeBlock): string {
  const path = block.id.replace(/^file:/, '')
  if (!owned.some(pattern => pattern.test(path))) throw new DeviceError('internal', `${block.id} is not ours to write`)
  return path
}

const bootUnit = '/etc/systemd/system/lanward-undo-boot.service'
const bootHook = '/etc/systemd/system/sysinit.target.d/lanward-undo.conf'

/** Runs before anything reads the configuration; the device may have lost power in the middle of a window. */
const bootService = (id: string) => `[Unit]
Description=Put back what was never confirmed in Lanward
DefaultDependencies=no
After=local-fs.target
Before=sysinit.target network-pre.target systemd-networkd.service
ConditionPathExists=/etc/lanward/undo/restore

[Service]
Type=oneshot
ExecStart=/bin/sh /etc/lanward/undo/restore ${id} boot
`

const arm = ({ id, windowSeconds }: { id: string; windowSeconds: number }) => `
mkdir -p /etc/systemd/system/sysinit.target.d &&
printf '%s' ${quote(bootService(id))} >${bootUnit} &&
printf '%s' ${quote('[Unit]\nWants=lanward-undo-boot.service\n')} >${bootHook} &&
chmod 644 ${bootUnit} ${bootHook} &&
systemctl daemon-reload &&
systemd-run --quiet --collect --unit=lanward-undo-${id} --on-active=${Math.ceil(windowSeconds)}s \\
  --timer-property=AccuracySec=100ms /bin/sh /etc/lanward/undo/restore ${id} timer`

const disarm = `
rm -f ${bootHook} ${bootUnit}
rmdir /etc/systemd/system/sysinit.target.d 2>/dev/null
systemctl stop 'lanward-undo-*.timer' 2>/dev/null
systemctl daemon-reload
:`

const radioOf = (path: string) => /\/lanward-(?:hostapd-)?([A-Za-z0-9._-]+)\.conf$/.exec(path)?.[1]

/** Makes the services follow the files. While the device boots, systemd must not be waited for: it waits for us. */
function settle(radios: string[]): string {
  const lines = radios.map(
    radio =>
      `if [ -e ${quote(`/etc/hostapd/lanward-${radio}.conf`)} ]; then serve restart ${quote(unitName(radio))}; else serve stop ${quote(unitName(radio))}; fi`,
  )
  return `
serve() { if [ "$mode" = boot ]; then systemctl --no-block "$@"; else systemctl "$@"; fi; }
systemctl daemon-reload
${lines.join('\n')}`
}

const byId = (config: NativeConfig) => new Map(config.blocks.map(block => [block.id, block]))

/** The difference of two configurations as files to lay, files to remove and services to restart. */
export function planPush(id: string, before: NativeConfig, next: NativeConfig, windowSeconds: number): UndoPlan {
  const [old, wanted] = [byId(before), byId(next)]
  const changed = next.blocks.filter(block => old.get(block.id)?.text !== block.text)
  const removed = before.blocks.filter(block => !wanted.has(block.id)).map(pathOf)
  const writes = changed.map(block => ({
    path: pathOf(block),
    text: unmarked(block.text),
    mode: block.id.startsWith('file:/etc/hostapd/') ? '600' : '644',
  }))
  const files = [...writes.map(one => one.path), ...removed]
  const all = files.includes(unitPath) ? [...next.blocks.map(pathOf), ...files] : files
  const radios = [...new Set(all.flatMap(path => radioOf(path) ?? []))]
  const lay = writes.map(({ path }, at) => {
    const folder = quote(path.slice(0, path.lastIndexOf('/')))
    return `{ [ -d ${folder} ] || { mkdir -p ${folder} && chmod 755 ${folder}; }; } && mv -f $D/new/${at} ${quote(path)} || return 1`
  })
  const apply = [...lay, ...removed.map(path => `rm -f ${quote(path)} || return 1`), 'sync'].join('\n')
  return { id, windowSeconds, files, writes, apply, settle: settle(radios), arm: arm({ id, windowSeconds }), disarm }
}

const undo = undoable<LinuxSession>({ driver: 'linux', script, disarm })

export const { confirm, revert, state } = undo

export const push = (
  session: LinuxSession,
  before: NativeConfig,
  next: NativeConfig,
  windowSeconds: number,
  events: PushEvents,
): Promise<Pending> => undo.push(session, id => planPush(id, before, next, windowSeconds), events)

const readOwned = `mark=$1
for f in /etc/hostapd/lanward-*.conf ${unitPath} /etc/systemd/system/multi-user.target.d/lanward-hostapd-*.conf; do
  [ -f "$f" ] || continue
  printf '\\n%s %s\\n' "$mark" "$f"; head -c 65536 "$f"
done
printf '\\n%s end\\n' "$mark"`

const secretLine = /^(wpa_passphrase|wpa_psk|sae_password)=(.*)$/gm

/** The files of ours on the device, with their secrets marked as a renderer marks them. */
export async function read(session: LinuxSession): Promise<NativeConfig> {
  const mark = newMark()
  const parts = parseParts(await script(session, readOwned, [mark]), mark)
  const blocks = parts.names('/etc/').map(rest => {
    const path = `/etc/${rest}`
    const text = (parts.text(path) ?? '').replace(
      secretLine,
      (_all, key: string, value: string) => `${key}=${marked(value)}`,
    )
    return { id: `file:${path}`, text }
  })
  return { blocks }
}

/** Configured BSSs of a hostapd file: its interface and how many networks it names. */
function expected(block: NativeBlock) {
  const values = (key: string) =>
    [...block.text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(match => match[1] ?? '')
  return { radio: radioOf(block.id) ?? '', name: values('interface')[0] ?? '', count: values('ssid2').length }
}

const settleMs = 12_000

/** hostapd has to say ENABLED and to carry as many networks as planned; it may take a moment to get there. */
export async function verify(session: LinuxSession, next: NativeConfig) {
  const wanted = next.blocks.filter(block => block.id.startsWith('file:/etc/hostapd/')).map(expected)
  const until = Date.now() + settleMs
  const problems = []
  for (const { radio, name, count } of wanted) {
    for (;;) {
      const ask = `exec hostapd_cli -p /run/hostapd -i ${quote(name)} status`
      const { stdout } = await script(session, ask, [], 10_000)
      const { bss } = parseHostapdStatus(stdout, radio)
      if (bss.length === count && bss.every(one => one.up)) break
      if (Date.now() > until) {
        const said = /^state=(\w+)/m.exec(stdout)?.[1] ?? 'DOWN'
        problems.push({ code: 'hostapdDown', kind: 'ssid', values: { radio, state: said } })
        break
      }
      await new Promise(wake => setTimeout(wake, 500))
    }
  }
  return problems
}
