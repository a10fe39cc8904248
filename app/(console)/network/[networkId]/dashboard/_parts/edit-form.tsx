'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import type { Tile } from '@/model/dashboard/tiles'
import { type TileRow, TileRows } from './tile-rows'
import './edit-form.css'

type Layout = CallOutput<'dashboard/layout'>

/** What is shown first, in its order; then the rest. */
const rowsOf = ({ tiles, offered }: Layout): TileRow[] => [
  ...tiles.map(one => ({ ...one, shown: true })),
  ...offered
    .filter(id => tiles.every(one => one.id !== id))
    .map(id => ({ id, size: id === 'counts' ? ('full' as const) : ('narrow' as const), shown: false })),
]
const tilesOf = (rows: readonly TileRow[]): Tile[] =>
  rows.filter(one => one.shown).map(({ id, size }) => ({ id, size }))

/** A person's own dashboard of the network: which tiles, in which order, how wide. */
export function EditForm() {
  const t = useTranslations('dashboard.form')
  const call = useNetworkCall('dashboard/layout', {}, { keep: false })
  return (
    <>
      <PageHead title={t('title')} sub={t('help')} />
      <Loaded call={call} lines={8}>
        {layout => <Form layout={layout} />}
      </Loaded>
    </>
  )
}

function Form({ layout }: { layout: Layout }) {
  const t = useTranslations('dashboard.form')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const [rows, setRows] = useState(() => rowsOf(layout))
  const { errors, busy, run } = useSubmit<'save' | 'reset'>()
  const back = `/network/${networkId}/dashboard`
  const tiles = tilesOf(rows)
  const changed = JSON.stringify(tiles) !== JSON.stringify(layout.tiles)
  const [refusal] = Object.values(errors)
  const send = (act: 'save' | 'reset') =>
    run(act, async () => {
      await callApi('dashboard/save', withNetwork({ tiles: act === 'save' ? tiles : null }))
      toast('ok', t(act === 'save' ? 'saved' : 'wasReset'))
      router.push(back)
    })
  return (
    <form
      className="dashboard-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!busy) void send('save')
      }}
    >
      <LeaveGuard on={changed} busy={busy !== undefined} />
      <Card>
        <TileRows rows={rows} onRows={setRows} />
        {refusal && (
          <p className="padded field-error" role="alert">
            {refusal}
          </p>
        )}
      </Card>
      <Preview tiles={tiles} />
      <div className="row wrapping dashboard-form-end">
        {layout.own && (
          <Button icon="undo" busy={busy === 'reset'} onClick={() => void send('reset')}>
            {t('standard')}
          </Button>
        )}
        <span className="grow" />
        <LinkButton href={back}>{t('cancel')}</LinkButton>
        <Button type="submit" kind="primary" busy={busy === 'save'}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

/** The page in small: what stands beside what. */
function Preview({ tiles }: { tiles: readonly Tile[] }) {
  const t = useTranslations('dashboard.form')
  const id = useId()
  return (
    <section className="dashboard-preview no-phone" aria-labelledby={id}>
      <h2 id={id}>{t('preview')}</h2>
      {tiles.length === 0 && <p className="muted">{t('previewEmpty')}</p>}
      <ol>
        {tiles.map(one => (
          <li key={one.id} className={`tile-${one.size}`}>
            {t(`tiles.${one.id}.name`)}
          </li>
        ))}
      </ol>
    </section>
  )
}
