import { useTranslations } from 'next-intl'
import { IconButton } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import type { Act } from './rows'

/** Presses that did not arrive yet: they are sent again by themselves. */
export function Waiting({ acts, drop }: { acts: readonly Act[]; drop: (act: string) => void }) {
  const t = useTranslations('desk.waiting')
  return (
    <div className="desk-waiting" role="status">
      <Note tone="warn" title={t('title', { count: acts.length })}>
        <p>{t('help')}</p>
        <ul>
          {acts.map(({ act, name, about }) => {
            const what = t(name, { name: about })
            return (
              <li key={act}>
                <span>{what}</span>
                <IconButton small kind="ghost" icon="close" label={t('drop', { what })} onClick={() => drop(act)} />
              </li>
            )
          })}
        </ul>
      </Note>
    </div>
  )
}
