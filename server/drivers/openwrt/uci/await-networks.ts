import type { NativeBlock } from '../../driver'
import { sectionOf } from './package'

/** Sections of /etc/config/network that stand on a fixed address. */
function addressed(blocks: readonly NativeBlock[]): string[] {
  const fixed = blocks.filter(({ id, text }) => id.startsWith('uci:network.') && /\.ipaddr='/.test(text))
  return fixed.map(block => sectionOf(block).section).filter(name => /^\w+$/.test(name))
}

const secondsInAll = 8

/**
 * Shell that waits until those networks are up. netifd answers before they are, and dnsmasq and fw4 read them as they stand:
 * the script of dnsmasq leaves a network that is down out, and hears of its coming up only after it has ended itself.
 * Empty where there is none to wait for; one that is not in the file, after going back, is not waited for.
 */
export function awaitNetworks(blocks: readonly NativeBlock[]): string {
  const names = addressed(blocks)
  if (names.length === 0) return ''
  return `left=${secondsInAll}
for one in ${names.join(' ')}; do
  [ "$(uci -q get network.$one)" = interface ] || continue
  until ubus call network.interface.$one status 2>/dev/null | grep -q '"up": *true'; do
    [ $left -gt 0 ] || break
    left=$((left - 1)); sleep 1
  done
done
:`
}
