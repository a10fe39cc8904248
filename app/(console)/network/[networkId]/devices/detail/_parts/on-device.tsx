'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { EmptyState, Loaded } from '@/app/_ui/states'
import type { DeviceInfo } from './device-info'
import { ImportDialog } from './import-dialog'
import { Outcome } from './import-outcome'
import { type Chosen, type Item, isImported, openOptions } from './import-words'
import { ReleaseDialog } from './release-dialog'
import { UnmanagedItem } from './unmanaged-item'
import './on-device.css'

type Props = { info: DeviceInfo; editable: readonly string[] }

/** What runs on the device and is not ours: offered, imported over, or left for ever. */
export function OnDevice({ info, editable }: Props) {
  const t = useTranslations('import.page')
  const call = useNetworkCall('import/list', { deviceId: info.id }, { live: true })
  return (
    <div className="stack">
      <div className="on-device-top">
        <p className="muted on-device-intro">{t('intro')}</p>
        <Button icon="refresh" busy={call.isValidating} onClick={() => void call.mutate()}>
          {t('reload')}
        </Button>
      </div>
      <Loaded call={call} lines={8}>
        {({ result }) => <Items items={result} {...{ info, editable }} />}
      </Loaded>
    </div>
  )
}

const partsOf = (items: readonly Item[]) => {
  const imported = items.filter(isImported)
  const rest = items.filter(item => !isImported(item))
  return {
    imported,
    offered: rest.filter(item => item.state === 'unmanaged'),
    kept: rest.filter(item => item.state !== 'unmanaged'),
  }
}

/** So many are shown on a phone before the rest is asked for; on-device.css hides it. */
const shownFolded = 4

/** A list that a phone shows the beginning of, until all of it is wanted. */
function Folded({ children }: { children: ReactNode[] }) {
  const t = useTranslations('import.page')
  const [all, setAll] = useState(false)
  if (children.length <= shownFolded) return children
  return (
    <>
      <div className={all ? undefined : 'on-device-folded'}>{children}</div>
      <div className="on-device-more">
        <Button wide aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('fewer') : t('showAll', { count: children.length })}
        </Button>
      </div>
    </>
  )
}

function Items({ items, info, editable }: Props & { items: Item[] }) {
  const t = useTranslations('import.page')
  const [chosen, setChosen] = useState<Chosen>(new Set())
  const [asking, setAsking] = useState(false)
  const [back, setBack] = useState<Item>()
  const [outcome, setOutcome] = useState<CallOutput<'import/add'>>()
  const { imported, offered, kept } = partsOf(items)
  const row = (item: Item) => (
    <UnmanagedItem
      key={item.id}
      item={item}
      open={openOptions(item, editable)}
      chosen={chosen}
      onChosen={setChosen}
      {...(editable.length > 0 && { onRelease: () => setBack(item) })}
    />
  )
  if (items.length === 0) return <EmptyState icon="check" title={t('none')} />
  return (
    <>
      {outcome && <Outcome outcome={outcome} deviceId={info.id} />}
      {imported.length > 0 && (
        <Card title={t('imported')}>
          <Folded>{imported.map(row)}</Folded>
        </Card>
      )}
      <Card title={t('offered')} meta={<span className="number">{offered.length}</span>}>
        {offered.length === 0 ? <EmptyState slim title={t('noneOffered')} /> : <Folded>{offered.map(row)}</Folded>}
      </Card>
      {kept.length > 0 && (
        <Card title={t('kept')} meta={<span className="number">{kept.length}</span>}>
          <p className="muted on-device-help">{t('keptHelp')}</p>
          <Folded>{kept.map(row)}</Folded>
        </Card>
      )}
      <BulkBar count={chosen.size} label={t('choose')} onClear={() => setChosen(new Set())}>
        <Button onClick={() => setAsking(true)}>{t('import')}</Button>
      </BulkBar>
      {asking && (
        <ImportDialog
          {...{ info, items, chosen }}
          onClose={done => {
            setAsking(false)
            if (!done) return
            setChosen(new Set())
            setOutcome(done)
          }}
        />
      )}
      {back && (
        <ReleaseDialog
          info={info}
          item={back}
          onClose={() => {
            setBack(undefined)
            setOutcome(undefined)
          }}
        />
      )}
    </>
  )
}
