import { useTranslations } from 'next-intl'
import { Button } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import type { Place } from './use-lines'

/** To older lines and back; and further, where a search has not come to its end in time. */
export function LogPager({
  place: { older, newer, live, resume },
  found: { next, searchedTo } = {},
}: {
  place: Place
  found: { next?: number; searchedTo?: number } | undefined
}) {
  const t = useTranslations('logs')
  const pages = useTranslations('common.pager')
  const clock = useClock()
  if (next === undefined && live) return null
  return (
    <nav className="log-pager" aria-label={pages('label')}>
      {!live && (
        <Button small onClick={resume}>
          {t('newest')}
        </Button>
      )}
      {newer && (
        <Button small onClick={newer}>
          {t('newer')}
        </Button>
      )}
      {next !== undefined && (
        <Button small onClick={() => older(next)}>
          {searchedTo === undefined ? t('older') : t('further')}
        </Button>
      )}
      {searchedTo !== undefined && <span className="soft">{t('searchedTo', { at: clock.dateTime(searchedTo) })}</span>}
    </nav>
  )
}
