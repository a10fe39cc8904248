import { useTranslations } from 'next-intl'
import { Icon } from '@/app/_ui/icon'

/** Beside a network's name: another company has a part in it. `status` 1: shared out, 2: shared in. */
export function ShareMark({ status }: { status: number }) {
  const t = useTranslations('shell.shared')
  const words = status === 2 ? t('in') : t('out')
  return (
    <span title={words}>
      <Icon name="share" size="sm" />
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
