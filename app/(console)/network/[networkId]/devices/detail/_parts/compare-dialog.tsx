'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { useClock } from '@/app/_ui/clock'
import { Dialog } from '@/app/_ui/dialog'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Block } from '../../../settings/review/_parts/diff'
import '../../../settings/review/review.css'

type Kept = { deploymentId: string; createdAt: number }
type Props = { from: Kept; to?: Kept; onClose: () => void }

/** What changed between two of a device's configurations; without `to`, up to what it has now. */
export function CompareDialog({ from, to, onClose }: Props) {
  const t = useTranslations('change.compare')
  const clock = useClock()
  const input = { from: from.deploymentId, ...(to && { to: to.deploymentId }) }
  const call = useNetworkCall('devices/config/compare', input, { keep: false })
  const words = { from: clock.dateTime(from.createdAt), to: to ? clock.dateTime(to.createdAt) : t('now') }
  return (
    <Dialog open onClose={onClose} width="vast" title={t('between', words)}>
      <Loaded call={call} lines={6}>
        {({ blocks }) =>
          blocks.length === 0 ? (
            <EmptyState slim icon="check" title={t('same')} />
          ) : (
            blocks.map(block => <Block key={block.id} block={block} />)
          )
        }
      </Loaded>
    </Dialog>
  )
}
