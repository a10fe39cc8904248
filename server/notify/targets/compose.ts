import type { AlertLevel } from '@/model/notify/catalogue'

/** An alert as it is told. `device`: its name at that time; `link`: its page, where the manager knows its own address. */
export type ToldAlert = {
  id: number
  /** Unix ms. */
  at: number
  level: AlertLevel
  type: string
  text: string
  device: string
  network: string
  link: string
}
/** What one message tells. `subject`: `what`, with the manager's name before it; `more`: how many there are besides. */
export type Notice = { what: string; subject: string; alerts: readonly ToldAlert[]; more: number }

const levelWords = { 5: 'Emergency', 10: 'Warning', 15: 'Notice' } as const
export const levelWord = (level: AlertLevel): string => levelWords[level]

export const gravest = ({ alerts }: Notice): AlertLevel =>
  Math.min(15, ...alerts.map(({ level }) => level)) as AlertLevel

/** From 1 to 5, as services count that know priorities. */
export const priorityOf = (notice: Notice): number => ({ 5: 5, 10: 4, 15: 3 })[gravest(notice)]

const lineOf = ({ at, level, text, network }: ToldAlert): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC  ${levelWord(level)}: ${text}${network && ` (${network})`}`

/** The alerts line by line, as many as fit into so many bytes, with how many there are besides, and the way to the only one. */
export function linesOf(
  { alerts, more }: Notice,
  { bytes, breaks = '\n', marked = text => text }: { bytes: number; breaks?: string; marked?(text: string): string },
): string {
  const [first] = alerts
  const link = alerts.length === 1 && more === 0 && first?.link ? `${breaks}${first.link}` : ''
  let room = bytes - 16 - Buffer.byteLength(link)
  const lines: string[] = []
  for (const alert of alerts) {
    const line = marked(lineOf(alert))
    room -= Buffer.byteLength(line) + breaks.length
    if (room < 0) break
    lines.push(line)
  }
  const left = more + alerts.length - lines.length
  return [...lines, ...(left > 0 ? [`+ ${left}`] : [])].join(breaks) + link
}
