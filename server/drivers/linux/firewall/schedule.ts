import type { NativeBlock, Rendered, Renderer, RenderInput } from '../../driver'
import { renderOnce } from '../../render-once'
import { scheduledBy, scheduleLines, scheduleOf } from '../../unix/schedules'
import { type Area, fileBlock } from '../area/area'
import { ownFile } from '../area/rules-file'
import { shapingRenderer } from '../area/shaping'
import { unitPath } from '../base/oneshot'
import { scheduleList, scheduleScript, scheduleText } from '../base/schedule-script'
import { wifiRenderer } from '../wifi/wifi'
import { firewallRenderer } from './firewall'
import { wirelessRenderer } from './wireless-rules'

const name = 'lanward-schedule'
const timerPath = `/etc/systemd/system/${name}.timer`
const wantsPath = `/etc/systemd/system/timers.target.d/${name}.conf`

const service = `[Unit]
Description=What begins or ends by schedule, as set in Lanward
After=local-fs.target lanward-undo-boot.service
ConditionPathExists=${scheduleList}

[Service]
Type=oneshot
ExecStart=/bin/sh ${scheduleScript} tick
`
// Every half hour of the local clock, and whenever that clock is set or its zone changes.
const timer = `[Unit]
Description=Half hours of schedules, as set in Lanward

[Timer]
OnCalendar=*:00/30
OnClockChange=yes
OnTimezoneChange=yes
AccuracySec=1s

[Install]
WantedBy=timers.target
`

/** The renderers whose files name schedules. */
const scheduled = [firewallRenderer, wirelessRenderer, shapingRenderer, wifiRenderer]

function render(input: RenderInput): Rendered {
  const known = new Map(
    input.documents.flatMap(({ data }) => {
      const one = scheduleOf(data.schedule)
      return one ? [[one.key, one] as const] : []
    }),
  )
  if (known.size === 0) return { blocks: [], warnings: [] }
  // The very files of this plan tell which of them the device has a use for.
  const used = new Set(
    scheduled.flatMap(one => renderOnce(one, input).blocks).flatMap(block => scheduledBy(block.text)),
  )
  const mine = [...known.values()].filter(one => used.has(one.key)).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (mine.length === 0) return { blocks: [], warnings: [] }
  const list = ['# Written by Lanward. Changes made here are replaced.', ...mine.flatMap(scheduleLines)]
  const blocks: NativeBlock[] = [
    fileBlock(scheduleList, `${list.join('\n')}\n`),
    fileBlock(scheduleScript, scheduleText),
    fileBlock(unitPath(name), service),
    fileBlock(timerPath, timer),
    fileBlock(wantsPath, `[Unit]\nWants=${name}.timer\n`),
  ]
  return { blocks, warnings: [] }
}

/** Schedules are kept by the device's own clock, whether the manager runs or not. What a device can do, others tell. */
export const scheduleRenderer: Renderer = {
  kinds: [...new Set(scheduled.flatMap(one => one.kinds))],
  render,
  fits: () => false,
}

/** After the areas whose files it reads: they have started what is on now. */
export const scheduleArea: Area = {
  files: [scheduleList, scheduleScript, unitPath(name), timerPath, wantsPath].map(path => ownFile(path, '644')),
  settle: () => [
    `if [ -e ${scheduleList} ]; then
serve restart ${name}.timer || return 1
serve start ${name}.service || return 1
else serve stop ${name}.timer 2>/dev/null; fi
:`,
  ],
}
