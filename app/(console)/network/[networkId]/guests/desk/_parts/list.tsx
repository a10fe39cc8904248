import { useTranslations } from 'next-intl'
import type { ApiError } from '@/app/_api/client'
import { Button } from '@/app/_ui/button'
import { SearchBox } from '@/app/_ui/search-box'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { stateLooks, stateNames } from '../../voucher/_parts/states'
import { useLasting } from '../../voucher/_parts/words'
import type { DeskVoucher } from './rows'

type Answer = { result: DeskVoucher[]; more: boolean }
type Props = {
  call: { data: Answer | undefined; error: ApiError | undefined; mutate: () => unknown }
  chosen: number | undefined
  search: string
  onSearch: (search: string) => void
  onChoose: (voucher: DeskVoucher) => void
  onMore: () => void
}

/** What was sold here and what guests use, the newest first. */
export function List({ call, chosen, search, onSearch, onChoose, onMore }: Props) {
  const t = useTranslations('desk')
  return (
    <section className="card desk-list" aria-labelledby="desk-list">
      <header>
        <h2 id="desk-list">{t('guests')}</h2>
      </header>
      <div className="desk-find">
        <SearchBox value={search} onSearch={onSearch} placeholder={t('search')} />
      </div>
      <Loaded call={call} lines={6}>
        {({ result, more }) =>
          result.length === 0 ? (
            <EmptyState slim title={t(search ? 'none' : 'empty')}>
              {!search && <span className="soft">{t('emptyHelp')}</span>}
            </EmptyState>
          ) : (
            <>
              <ul>
                {result.map(one => (
                  <li key={one.id}>
                    <Row voucher={one} chosen={one.id === chosen} onChoose={() => onChoose(one)} />
                  </li>
                ))}
              </ul>
              {more && (
                <footer>
                  <Button onClick={onMore}>{t('more')}</Button>
                </footer>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

type RowProps = { voucher: DeskVoucher; chosen: boolean; onChoose: () => void }

function Row({ voucher, chosen, onChoose }: RowProps) {
  const t = useTranslations('desk')
  const states = useTranslations('vouchers.states')
  const lasting = useLasting()
  const { note, name, code, state, secondsLeft } = voucher
  return (
    <button type="button" className="desk-row" aria-pressed={chosen} onClick={onChoose}>
      <b className={note ? undefined : 'muted'}>{note || t('nobody')}</b>
      <Status state={stateLooks[state]}>{states(stateNames[state])}</Status>
      <span className="soft">
        {name}
        {code !== null && (
          <bdi dir="ltr" className="voucher-code">
            {code}
          </bdi>
        )}
      </span>
      <span className="number soft">{t('left', { time: lasting(secondsLeft) })}</span>
    </button>
  )
}
