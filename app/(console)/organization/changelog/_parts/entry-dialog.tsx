'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { useLogWords } from '@/app/_shared/log-words'
import { Button } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import { Dialog } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import { Loaded } from '@/app/_ui/states'
import { isManagers } from '@/model/registry'
import { Plain, SettingValue, type Shown } from './entry-value'
import type { Entry, Specs } from './rows'

type Props = { entry: Entry; specs: Specs; mayRevert: boolean; onClose: () => void }
type Values = (props: Shown) => ReactNode

/** One entry: each field before and after, and what stands between it and its way back. */
export function EntryDialog({ entry, specs, mayRevert, onClose }: Props) {
  const t = useTranslations('changelog')
  const words = useLogWords()
  const [asking, setAsking] = useState(false)
  const call = useCall('changelog/get', { id: entry.id }, { keep: false })
  const { revert, names = {} } = call.data ?? {}
  const spec = specs[entry.object]
  const value: Values = shown =>
    spec ? <SettingValue spec={spec} names={names} {...shown} /> : <Plain value={shown.value} />
  if (asking && revert?.can) return <RevertDialog entry={entry} does={revert.does} onClose={onClose} />
  const footer = (
    <>
      <Button onClick={onClose}>{t('close')}</Button>
      {mayRevert && revert?.can && (
        <Button icon="undo" kind="primary" onClick={() => setAsking(true)}>
          {t('revert.action')}
        </Button>
      )}
    </>
  )
  return (
    <Dialog
      open
      width="vast"
      onClose={onClose}
      footer={footer}
      title={`${words.action(entry.action)}: ${words.object(entry.object)} ${entry.name}`}
    >
      <Head entry={entry} />
      <Fields entry={entry} value={value} />
      <Loaded call={call}>{data => <WhyNot entry={entry} revert={data.revert} shown={mayRevert} />}</Loaded>
    </Dialog>
  )
}

function Head({ entry }: { entry: Entry }) {
  const t = useTranslations('changelog')
  const words = useLogWords()
  const clock = useClock()
  const place = entry.network && (entry.network.name ?? t('goneNetwork', { id: entry.network.id }))
  const told = [words.who(entry), entry.account && entry.address, place, clock.dateTime(entry.at, true)]
  return (
    <p className="soft">
      {told.filter(Boolean).join(' · ')} · {t('number', { id: entry.id })}
    </p>
  )
}

// On a phone the table scrolls: it has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

function Fields({ entry, value: shown }: { entry: Entry; value: Values }) {
  const t = useTranslations('changelog')
  const words = useLogWords()
  const rows = Object.entries(entry.fields)
  if (!rows.length) return <p className="muted">{t('noFields')}</p>
  return (
    <div className="table-scroll" {...scrolled}>
      <table className="data-table plain log-fields" aria-label={t('columns.fields')}>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('after')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([field, [before, after]]) => (
            <tr key={field}>
              <th scope="row">{words.field(entry.object, field)}</th>
              <td>{shown({ field, value: before })}</td>
              <td>{shown({ field, value: after })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Revert = { can: true } | { can: false; reason: string; later: readonly { field: string; entry: number }[] }

/** Why there is no way back, where somebody might look for one. */
function WhyNot({ entry, revert, shown }: { entry: Entry; revert: Revert; shown: boolean }) {
  const t = useTranslations('changelog.revert')
  const words = useLogWords()
  if (!shown || revert.can || revert.reason === 'noSetting') return null
  const fields = revert.later.map(one => words.field(entry.object, one.field)).join(', ')
  return <Note tone="pending">{t(`reasons.${revert.reason as 'changedLater'}`, { fields })}</Note>
}

function RevertDialog({
  entry,
  does,
  onClose,
}: {
  entry: Entry
  does: 'edit' | 'add' | 'delete'
  onClose: () => void
}) {
  const t = useTranslations('changelog.revert')
  const words = useLogWords()
  const values = { name: entry.name || words.object(entry.object), fields: words.fieldNames(entry) }
  return (
    <ActDialog
      call="changelog/revert"
      input={{ id: entry.id }}
      done={t('done')}
      onClose={onClose}
      title={t('title')}
      consequences={[t(does, values), ...(isManagers(entry.object) ? [] : [t('later')])]}
      action={t('action')}
      danger={does === 'delete'}
    />
  )
}
