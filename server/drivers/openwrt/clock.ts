import type { Rendered, Renderer, RenderInput } from '../driver'
import { renderOnce } from '../render-once'
import { scheduledBy } from '../unix/schedules'
import { ssids } from '../unix/ssid'
import { firewallRenderer } from './firewall/firewall'
import { wirelessRulesRenderer } from './firewall/wireless-rules'
import { limitsRenderer } from './ports/limits'
import { clockBlocks, type Timed } from './uci/files'
import { hoursInterrupt, hoursPath, hoursText } from './uci/hours'
import { wifiRenderer } from './wifi/wifi'
import { keepsHours } from './wifi/wifi-imported'

// What follows the device's clock. nftables turns the hours of its rules into UTC by the zone's offset of that moment:
// when the clocks change, all of them are an hour off until they are read again.

/** Days begin by the kernel's own zone, which only the system's script tells it. After a boot they are read once more: a device without a clock of its own may have had another date by then. */
const readAgain = `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
last=/var/run/lanward-offset now=$(date +%z)
[ "$(cat $last 2>/dev/null)" = "$now" ] && exit 0
# One that its owner stopped stays so.
[ -e /var/run/fw4.state ] || [ -e /var/run/fw3.state ] || exit 0
[ ! -x /etc/init.d/system ] || /etc/init.d/system reload
/etc/init.d/firewall reload && echo "$now" >$last
`

/** A minute after the hour, when clocks change; hours are whole half hours. */
const [afterChange, halfHours] = ['1 * * * *', '0,30 * * * *']

const isTimed = /\.(?:start|stop)_(?:time|date)=/
const rules = [firewallRenderer, wirelessRulesRenderer, limitsRenderer]

/** After a boot, and when the clock was set: what is sourced there should end at once. */
const hook = (when: string) => `# Written by Lanward. Changes made here are replaced.
case $ACTION in ${when}) sh ${hoursPath} </dev/null >/dev/null 2>&1 & ;; esac
`

function render(input: RenderInput): Rendered {
  if (!input.documents.some(({ data }) => data.schedule !== undefined)) return { blocks: [], warnings: [] }
  const text = rules.flatMap(one => renderOnce(one, input).blocks).map(block => block.text)
  const sent = renderOnce(wifiRenderer, input).blocks.filter(block => {
    const item = input.imported?.find(one => one.id === block.item)
    return item === undefined || keepsHours(item)
  })
  const hours = hoursText(sent, ssids(input.documents))
  const timed: Timed[] = [
    ...(text.some(one => isTimed.test(one) || scheduledBy(one).length > 0)
      ? [{ when: afterChange, file: 'clock' as const, text: readAgain }]
      : []),
    ...(hours === undefined ? [] : [{ when: halfHours, file: 'hours' as const, text: hours }]),
  ]
  const hooks = hours === undefined ? {} : { iface: hook('ifup'), ntp: hook('step|stratum') }
  return { blocks: clockBlocks(timed, hooks), warnings: [] }
}

const parts = [...rules, wifiRenderer]

/** What rules and networks with a schedule need beside their own sections. */
export const clockRenderer: Renderer = {
  kinds: [...new Set(parts.flatMap(one => one.kinds))],
  reads: [...new Set(parts.flatMap(one => one.reads ?? []))],
  render,
  fits: () => false,
  interrupts: hoursInterrupt,
}
