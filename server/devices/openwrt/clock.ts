import type { Rendered, Renderer, RenderInput } from '../driver'
import { clockBlocks } from './files'
import { firewallRenderer } from './firewall'

// fw4 turns the hours of its rules into UTC by the zone's offset of that moment: when the clocks change, all of them are
// an hour off until it reads them again.

/** After a boot it is read once more: a device without a clock of its own may have had another date by then. */
const script = `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
last=/var/run/lanward-offset now=$(date +%z)
[ "$(cat $last 2>/dev/null)" = "$now" ] && exit 0
# One that its owner stopped stays so.
[ -e /var/run/fw4.state ] || [ -e /var/run/fw3.state ] || exit 0
/etc/init.d/firewall reload && echo "$now" >$last
`

/** A minute after the hour, when clocks change. */
const when = '1 * * * *'

const isTimed = /\.(?:start|stop)_(?:time|date)=/

function render(input: RenderInput): Rendered {
  const timed = firewallRenderer.render(input).blocks.filter(block => isTimed.test(block.text))
  return { blocks: timed.length > 0 ? clockBlocks(script, when, { kind: 'wiredRule' }) : [], warnings: [] }
}

/** What rules with a schedule need beside their own sections. */
export const clockRenderer: Renderer = {
  kinds: firewallRenderer.kinds,
  ...(firewallRenderer.reads && { reads: firewallRenderer.reads }),
  render,
  fits: () => false,
}
