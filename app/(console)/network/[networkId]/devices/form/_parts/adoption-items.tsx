import { useTranslations } from 'next-intl'
import { AdoptionCourse } from '@/app/_shared/adoption/progress'
import { Card } from '@/app/_ui/card'
import { ItemRow } from './item-row'
import type { useAdoption } from './use-adoption'

type Props = {
  adoption: ReturnType<typeof useAdoption>
  /** Tries again with the login chosen now; with a key when the one that was seen is accepted. */
  onRetry?: (hostKey?: string) => void
}

/** Devices whose adoption was begun here, and how each does. */
export function AdoptionItems({ adoption, onRetry }: Props) {
  const t = useTranslations('adoption')
  if (adoption.items.length === 0) return null
  return (
    <Card title={t('progressTitle')}>
      <AdoptionCourse items={adoption.items} onCancel={() => void adoption.cancel()} />
      {adoption.items.map(item => {
        const { address, name = address } = item
        return <ItemRow key={address} one={{ address, name, about: address, offers: '', item }} onRetry={onRetry} />
      })}
    </Card>
  )
}
