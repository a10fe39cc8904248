import type { SystemFields } from '@/model/system/system'
import type { RenderInput } from '../../driver'
import { missingNeed } from '../../needs'
import { logTarget, trafficSettings } from '../../unix/traffic-logs'
import type { Need } from '../../words'

type Given = Pick<RenderInput, 'facts' | 'documents'>

const needs = ({ syslog }: SystemFields): Need[] => ['rsyslog', ...(syslog === 'tls' ? ['rsyslogTls' as const] : [])]

/** What the device lacks to send its log to the server that is set. */
export const sendingLacks = ({ facts }: Given, target: SystemFields): Need | undefined =>
  missingNeed(facts, needs(target))

/** Whether names that clients ask for are recorded: what nothing sends would only lie on the device. */
export function recordsNames(input: Given): boolean {
  const target = trafficSettings(input.documents)?.urlLog && logTarget(input.documents)
  return target ? sendingLacks(input, target) === undefined : false
}
