'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { Button, IconButton } from '@/app/_ui/button'
import { Menu } from '@/app/_ui/menu'

/** What a person wants once it is saved: to stay with the settings, to see what a push would do, or the push itself. */
export type Then = 'settings' | 'review' | 'push'

/** The review of a network's changes; for `push` it begins by itself where nobody has to be asked. */
export const reviewPath = (networkId: number, then: Then): string =>
  `/network/${networkId}/settings/review${then === 'push' ? '?push=now' : ''}`

type Props = {
  busy: boolean
  /** Something in the form is wrong. */
  wrong: boolean
  onSave: (then: Then) => unknown
}

/** The ways to save that lead on to the devices. */
export function SaveWays({ busy, wrong, onSave }: Props) {
  const t = useTranslations('form')
  const mayReview = useMay('devices')
  const mayPush = useMay('devices_edit')
  if (!mayReview) return null
  return (
    <span className="row" style={{ gap: 4 }}>
      <Button kind="primary" busy={busy} disabled={wrong} onClick={() => onSave('review')}>
        {t('saveReview')}
      </Button>
      {mayPush && (
        <Menu
          trigger={<IconButton kind="primary" icon="down" label={t('saveWays')} disabled={busy || wrong} />}
          groups={[{ actions: [{ label: t('savePush'), icon: 'upload', onSelect: () => void onSave('push') }] }]}
        />
      )}
    </span>
  )
}
