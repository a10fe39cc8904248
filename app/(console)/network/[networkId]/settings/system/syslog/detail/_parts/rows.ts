import type { CallOutput } from '@/app/_api/client'

export type Capture = CallOutput<'syslog/list'>['result'][number]

export const severities = ['0', '1', '2', '3', '4', '5', '6', '7'] as const
export type Severity = (typeof severities)[number]

/** A time as the page of logs takes it, to the minute. */
const minute = (at: number) => `${new Date(at).toISOString().slice(0, 16)}:00Z`

/** The page of logs with the lines of a capture; those that still come, too, while it goes on. */
export function linesOf({ device, severity, startedAt, endedAt }: Capture): string {
  const query = {
    ...(device && { device: String(device.id) }),
    ...(severity < 7 && { severity: String(severity) }),
    from: minute(startedAt),
    ...(endedAt !== null && { to: minute(endedAt) }),
  }
  return `insight/logs?${new URLSearchParams(query)}`
}
