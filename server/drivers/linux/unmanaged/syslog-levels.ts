import type { SyslogLevel } from '@/model/system/system'

/** rsyslog.conf(5): what stands for each level behind the dot of a selector. */
export const selectorLevels: Readonly<Record<SyslogLevel, string>> = {
  none: 'none',
  emergency: 'emerg',
  alert: 'alert',
  critical: 'crit',
  error: 'err',
  warning: 'warning',
  notice: 'notice',
  info: 'info',
  debug: '*',
}
const words = new Map(Object.entries(selectorLevels).map(([level, word]) => [word, level as SyslogLevel]))

/** Older words that rsyslog reads the same; a line that says them keeps them while it is not changed. */
for (const [word, level] of [
  ['debug', 'debug'],
  ['warn', 'warning'],
  ['error', 'error'],
  ['panic', 'emergency'],
] as const)
  words.set(word, level)

/** The level of a selector about all facilities; undefined for others. */
export const levelOf = (selector: string): SyslogLevel | undefined =>
  words.get(/^\*\.(\*|[a-z]+)$/.exec(selector)?.[1] ?? '')
