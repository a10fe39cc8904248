'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { useLogWords } from '@/app/_shared/log-words'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Loaded } from '@/app/_ui/states'
import { changesBeforeMs } from '@/model/notify/mend'

type Props = { at: number; networkId: number }

/** What somebody changed in the network shortly before, for whoever may read the changelog. */
export function ChangesBefore(props: Props) {
  return useMay('organization_changelog') ? <Changes {...props} /> : null
}

const shown = 20

function Changes({ at, networkId }: Props) {
  const t = useTranslations('alerts.detail')
  const words = useLogWords()
  const filter = { network: networkId, from: at - changesBeforeMs, to: at }
  const call = useCall('changelog/list', { filter, pageSize: shown })
  return (
    <Card title={t('changes')} pad>
      <Loaded call={call} lines={2}>
        {({ result, total }) =>
          result.length === 0 ? (
            <p className="soft">{t('noChanges')}</p>
          ) : (
            <>
              <ul className="stack">
                {result.map(entry => (
                  <li key={entry.id}>
                    {words.action(entry.action)}: {words.object(entry.object)} <bdi>{entry.name}</bdi>{' '}
                    <span className="soft">
                      {words.who(entry)}, <Moment at={entry.at} seconds />
                    </span>
                  </li>
                ))}
              </ul>
              {total > result.length && <p className="muted">{t('moreChanges', { count: total - result.length })}</p>}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
