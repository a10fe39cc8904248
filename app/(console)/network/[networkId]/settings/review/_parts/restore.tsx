'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { PreviewCard } from './preview-card'
import { PushButton } from './push-button'
import { usePush } from './use-push'

export type Earlier = { deviceId: number; deploymentId: string; at: number }
type Props = { networkId: number; mayPush: boolean; earlier: Earlier }

/** Going back to what a device had after an earlier push: its difference first, then the same safe push. */
export function Restore({ networkId, mayPush, earlier }: Props) {
  const t = useTranslations('change')
  const clock = useClock()
  const { restore } = usePush(networkId)
  const { deviceId, deploymentId } = earlier
  const call = useNetworkCall('devices/push/preview', { deviceId, restores: deploymentId }, { keep: false })
  const back = `/network/${networkId}/devices/detail?id=${deviceId}&tab=configuration`
  return (
    <Loaded call={call} lines={8}>
      {preview => (
        <>
          <PageHead title={t('restore.title')}>
            <LinkButton href={back}>{preview.name}</LinkButton>
            {mayPush && preview.blocks.length > 0 && (
              <PushButton
                targets={[{ ...preview, drifted: preview.drift.length > 0, cuts: preview.cuts.length > 0 }]}
                label={t('restore.action')}
                more={[t('restore.settings')]}
                run={agreed => restore(deploymentId, agreed)}
              />
            )}
          </PageHead>
          <Note tone="info">{t('restore.text', { at: clock.dateTime(earlier.at) })}</Note>
          <PreviewCard {...preview} {...{ networkId, mayPush }} restores={deploymentId} />
        </>
      )}
    </Loaded>
  )
}
