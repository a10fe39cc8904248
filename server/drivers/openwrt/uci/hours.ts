import type { Interrupts, NativeBlock, NativeConfig } from '../../driver'
import type { Observation } from '../../observation'
import { remark } from '../../unix/nft'
import { onNow, scheduleLines } from '../../unix/schedules'
import type { Ssid } from '../../unix/ssid'
import { isImported, prefix, sectionOf } from './package'
import { safe } from './uci'

// Hours of wireless networks: what is not sent out now has `disabled` in its section, by the device's own clock. The
// option is the script's then, and no part of what settings say.

export const hoursPath = '/etc/lanward/hours.sh'

const listed = /^at (\w+) s[0-9a-f]{12}$/gm

/** Shell that has the sections as they should be by now; nothing is told where it changes nothing. */
export const followHours = `[ ! -e ${hoursPath} ] || sh ${hoursPath} push`

/**
 * Two at a time would undo each other, and what somebody has not committed yet is left to him. `push`: in the middle of
 * a change of ours, which has no work of its own open then.
 */
const scriptText = (lines: readonly string[]) => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
list() { cat <<'lanward-hours'
${lines.join('\n')}
lanward-hours
}
exec 9>/var/run/lanward-hours
flock 9
if [ "$1" != push ]; then
  [ ! -e /etc/lanward/undo/applying ] && [ -z "$(uci -q changes wireless)" ] || exit 0
fi
set -- $(date '+%F %u %H:%M')
on=$(list | awk -v date="$1" -v day="$2" -v time="$3" '${onNow}')
commands=$(list | while read -r word section key; do
  [ "$word" = at ] && [ "$(uci -q get "wireless.$section")" = wifi-iface ] || continue
  off=1
  case $on in *" $key "*) off=0 ;; esac
  [ "$(uci -q get "wireless.$section.disabled" || echo 0)" = $off ] || echo "set wireless.$section.disabled='$off'"
done)
[ -n "$commands" ] || exit 0
printf '%s\\n' "$commands" | uci batch && uci commit wireless && exec ubus call network reload 9>&-
`

const isNetwork = (block: NativeBlock) => /^wireless\.\w+=wifi-iface$/m.test(block.text) || isImported(block)

/** The script for the sections of a plan that have hours; undefined where none has. */
export function hoursText(
  blocks: readonly NativeBlock[],
  networks: readonly Pick<Ssid, 'id' | 'schedule'>[],
): string | undefined {
  const found = blocks.flatMap(block => {
    const one = networks.find(network => network.id === block.document)?.schedule
    return one && isNetwork(block) ? [{ one, name: sectionOf(block).section }] : []
  })
  if (found.length === 0) return undefined
  const used = new Map(found.map(({ one }) => [one.key, one]))
  const times = [...used.values()].sort((a, b) => (a.key < b.key ? -1 : 1)).flatMap(scheduleLines)
  const places = found.map(({ one, name }) => `at ${name} ${one.key}`).sort()
  return scriptText([...times.map(line => (line.startsWith('#') ? remark(line.slice(2)) : line)), ...places])
}

/** Sections that have hours, told by the script. */
export const sectionsWithHours = ({ blocks }: NativeConfig): string[] => {
  const text = blocks.find(block => block.id === `file:${hoursPath}`)?.text ?? ''
  return [...text.matchAll(listed)].map(([, name = '']) => name)
}

/** netifd brings a radio's networks down and up again where one of them begins or ends. */
export function hoursInterrupt({ id, text }: NativeBlock, { bss = [] }: Observation): Interrupts | undefined {
  const names = sectionsWithHours({ blocks: [{ id, text }] })
  // A section's own radio is in its name; of one that was imported it is not told here.
  const touches = (radio = '') => names.some(name => !name.startsWith(prefix) || name.endsWith(`_${safe(radio)}`))
  const touched = bss.filter(one => touches(one.radio))
  if (names.length === 0 || touched.length === 0) return undefined
  return { interfaces: touched.flatMap(one => one.interface ?? []), ssids: touched.map(one => one.ssid) }
}

/** What was read, without what the clock has set. */
export function withoutHours(config: NativeConfig): NativeConfig {
  const names = sectionsWithHours(config)
  if (names.length === 0) return config
  const isSet = (line: string) => names.some(name => line.startsWith(`wireless.${name}.disabled=`))
  const lines = (text: string) => text.split('\n').filter(line => !isSet(line))
  return {
    blocks: config.blocks.map(block =>
      block.id.startsWith('uci:wireless.') ? { ...block, text: lines(block.text).join('\n') } : block,
    ),
  }
}
