'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { Age, Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { EmptyState } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'

type Session = CallOutput<'sessions/list'>['result'][number]

function useBrowserName() {
  const t = useTranslations('security.sessions')
  return ({ browser, system }: Session) =>
    browser && system ? t('on', { browser, system }) : browser || system || t('unknown')
}

function useColumns(onEnd: (session: Session) => void): Column<Session>[] {
  const t = useTranslations('security.sessions')
  const nameOf = useBrowserName()
  return [
    {
      key: 'browser',
      sort: true,
      label: t('columns.browser'),
      fixed: true,
      phone: 'title',
      cell: session => (
        <span className="row">
          {nameOf(session)}
          {session.current && <Badge tone="accent">{t('current')}</Badge>}
        </span>
      ),
    },
    {
      key: 'address',
      sort: true,
      label: t('columns.address'),
      phone: 'state',
      cell: one => <bdi className="ip">{one.address}</bdi>,
    },
    { key: 'since', sort: true, label: t('columns.since'), until: 1180, cell: one => <Moment at={one.since} /> },
    { key: 'seen', sort: true, label: t('columns.seen'), phone: 'extra', cell: one => <Age at={one.seen} /> },
    {
      key: 'end',
      label: t('columns.end'),
      phone: 'key',
      numeric: true,
      width: '90px',
      cell: one =>
        !one.current && (
          <Button small aria-label={t('endOf', { browser: nameOf(one) })} onClick={() => onEnd(one)}>
            {t('end')}
          </Button>
        ),
    },
  ]
}

/** Where this account is signed in, and the ways to end that. */
export function SessionsCard() {
  const t = useTranslations('security.sessions')
  const nameOf = useBrowserName()
  const table = useTable()
  const call = useCall('sessions/list', table.input, { live: true })
  const [asking, setAsking] = useState<Session | 'others'>()
  const columns = useColumns(setAsking)
  const one = asking === 'others' ? undefined : asking
  const end = async () => {
    if (one) await callApi('sessions/end', { id: one.id })
    else await callApi('sessions/end-others', {})
    toast('ok', t('ended'))
  }
  const others = call.data?.result.some(session => !session.current)
  return (
    <>
      <DataTable
        id="sessions"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={session => session.id}
        searchLabel={t('search')}
        tools={
          <>
            <h2 className="medium">{t('title')}</h2>
            {others && (
              <Button small onClick={() => setAsking('others')}>
                {t('endOthers')}
              </Button>
            )}
          </>
        }
        empty={<EmptyState icon="user" title={t('empty')} />}
      />
      <ConfirmDialog
        open={asking !== undefined}
        danger
        title={one ? t('endTitle') : t('endOthersTitle')}
        consequences={[one ? t('endWhat', { browser: nameOf(one), address: one.address }) : t('endOthersWhat')]}
        action={one ? t('end') : t('endOthers')}
        onConfirm={end}
        onClose={() => setAsking(undefined)}
      />
    </>
  )
}
