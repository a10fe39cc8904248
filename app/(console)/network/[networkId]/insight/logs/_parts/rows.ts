import type { CallOutput } from '@/app/_api/client'
import type { StateName } from '@/app/_ui/status'

export type LogLine = CallOutput<'logs/find'>['lines'][number]
export type Reception = CallOutput<'logs/status'>

export const severities = ['0', '1', '2', '3', '4', '5', '6', '7'] as const
export type Severity = (typeof severities)[number]

const looks: readonly StateName[] = ['failed', 'failed', 'failed', 'failed', 'warning', 'note', 'fine', 'stale']

/** How grave a severity looks; its word stands beside. */
export const stateOf = (severity: number): StateName => looks[severity] ?? 'unknown'

/** A notification over SNMP: its name stands where a line has its program. */
export const isTrap = ({ way }: LogLine): boolean => way !== 'udp' && way !== 'tcp' && way !== 'tls'
