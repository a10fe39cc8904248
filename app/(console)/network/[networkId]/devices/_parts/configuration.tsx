'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallInput, CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Link } from '@/app/_ui/link'
import { Status } from '@/app/_ui/status'
import { Maybe } from '@/app/_ui/value'
import { PushState } from './push-state'
import type { Device } from './rows'

type Changed = CallOutput<'changes/list'>['devices'][number]
const none: CallInput<'changes/list'> = {}

/** What waits for which device, or undefined while that is not known. */
export function useChanged(): ReadonlyMap<number, Changed> | undefined {
  const { data } = useNetworkCall('changes/list', none, { live: true })
  return data && new Map(data.devices.map(one => [one.deviceId, one]))
}

/** How many saved settings each of these devices does not have: null where nobody knows, undefined while that is asked. */
export function useMissed(ids: readonly number[]): ReadonlyMap<number, number | null> | undefined {
  const asked = ids.toSorted((a, b) => a - b)
  const { data } = useNetworkCall('devices/left-out/count', asked.length > 0 ? { ids: asked } : null, { live: true })
  return data && new Map(data.result.map(one => [one.id, one.count]))
}

/** How many settings do not reach a device; null: it was never read. */
export function Missed({ count }: { count: number | null }) {
  const t = useTranslations('devices.configuration')
  if (count === null) return <span className="soft">{t('notRead')}</span>
  return <Status state="warning">{t('missed', { count })}</Status>
}

type Props = {
  device: Pick<Device, 'id' | 'can'>
  changed: ReturnType<typeof useChanged>
  missed: ReturnType<typeof useMissed>
}

/** Whether a device runs what was saved for it; where it lacks some of it, the way to the reasons. */
export function Configuration({ device: { id, can }, changed, missed }: Props) {
  const t = useTranslations('devices.configuration')
  const { networkId } = useParams<{ networkId: string }>()
  if (can.settings === 'none') return <span className="muted">{t('readOnly')}</span>
  const one = changed?.get(id)
  const count = missed?.get(id)
  if (one?.state === 'modified' && !one.online) return <Status state="modified">{t('waiting')}</Status>
  if (one) return <PushState state={one.state} />
  if (!changed || count === undefined) return <Maybe value={undefined}>{() => null}</Maybe>
  if (count === 0) return <span className="soft">{t('inSync')}</span>
  return (
    <Link href={`/network/${networkId}/devices/detail?id=${id}`}>
      <Missed count={count} />
    </Link>
  )
}
