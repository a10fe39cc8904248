import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import type { Guest } from './rows'

export type GuestsProps = { guests: readonly Guest[]; onClose: (changed: boolean) => void }

const inputOf = (guests: readonly Guest[]) => withNetwork({ ids: guests.map(guest => guest.id) })
const namedBy = (guests: readonly Guest[]) => ({ count: guests.length, mac: guests[0]?.mac.toUpperCase() ?? '' })

export function ForgetDialog({ guests, onClose }: GuestsProps) {
  const t = useTranslations('guests')
  return (
    <ActDialog
      danger
      call="guests/forget"
      input={inputOf(guests)}
      title={t('forgetTitle', namedBy(guests))}
      consequences={[t('forgetRecords'), t('forgetKeeps')]}
      action={t('forget')}
      done={({ forgotten, silent }: CallOutput<'guests/forget'>) =>
        t(silent.length > 0 ? 'forgottenLater' : 'forgotten', { count: forgotten })
      }
      onClose={onClose}
    />
  )
}

export function RemoveDialog({ guests, onClose }: GuestsProps) {
  const t = useTranslations('guests')
  return (
    <ActDialog
      danger
      call="guests/remove"
      input={inputOf(guests)}
      title={t('removeTitle', namedBy(guests))}
      consequences={[t('removeNow'), t('removeAgain')]}
      action={t('remove')}
      done={({ removed, silent }: CallOutput<'guests/remove'>) =>
        t(silent.length > 0 ? 'removedLater' : 'removed', { count: removed })
      }
      onClose={onClose}
    />
  )
}
