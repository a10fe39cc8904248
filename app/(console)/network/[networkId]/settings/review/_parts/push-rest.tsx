'use client'
import { useTranslations } from 'next-intl'
import type { PushDevice, PushResult } from '@/server/devices/change/push/batch'
import { PushButton } from './push-button'
import { usePush } from './use-push'
import { useSavedName } from './use-push-words'

/**
 * What of a push can be pushed again at once: to the devices that did not take it, without the settings it failed by;
 * or, where none is known, to those that were not tried for another device's sake.
 */
function restOf({ devices }: PushResult) {
  const back = devices.filter(one => ['reverted', 'failed'].includes(one.state))
  const culprits = back.flatMap(one => one.culprits)
  if (culprits.length > 0 && back.some(one => one.rest)) return { targets: back, culprits, left: [] }
  const left = devices.filter(one => ['reverted', 'failed', 'unknown'].includes(one.state) && one.reason !== 'notTried')
  return { targets: devices.filter(one => one.reason === 'notTried'), culprits: [], left }
}

const agreedTo = (one: PushDevice) => ({
  ...one,
  drifted: one.agreed.includes('drift'),
  cuts: one.agreed.includes('cut'),
})

export function PushRest({ push, networkId }: { push: PushResult; networkId: number }) {
  const t = useTranslations('change')
  const owner = useSavedName()
  const { push: again } = usePush(networkId)
  const { targets, culprits, left } = restOf(push)
  if (targets.length === 0) return null
  // What an earlier push failed by stays left out.
  const without = new Map([...targets.flatMap(one => one.without), ...culprits].map(one => [one.id, one]))
  const names = [...without.values()].map(one => owner(one.kind, one.name)).join(', ')
  const together = targets.length > 1 && targets.some(one => one.agreed.includes('together'))
  const failedBy = new Set(culprits.map(one => one.id)).size
  return (
    <PushButton
      targets={targets.map(agreedTo)}
      label={failedBy > 0 ? t('pushRest', { count: failedBy }) : t('pushUntried', { count: targets.length })}
      more={[
        ...(left.length > 0 ? [t('untriedText', { names: left.map(one => one.name).join(', ') })] : []),
        ...(names ? [t('restText', { names })] : []),
        ...(together ? [t('together.help', { count: targets.length })] : []),
      ]}
      run={agreed =>
        again(
          targets.map(one => one.deviceId),
          { ...agreed, without: [...without.keys()], ...(together && { together }) },
        )
      }
    />
  )
}
