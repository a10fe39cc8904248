'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Menu } from '@/app/_ui/menu'
import { EmptyState } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'
import { WhitelistCheck } from './whitelist-check'

type Entry = CallOutput<'ip-whitelist/list'>['result'][number]
type Asking = { what: 'edit'; entry?: Entry } | { what: 'delete'; entry: Entry } | undefined

function useColumns(onAsk: (asking: Asking) => void): Column<Entry>[] {
  const t = useTranslations('security.whitelist')
  const actions = (entry: Entry) => (
    <Menu
      trigger={<IconButton small kind="ghost" icon="more" label={t('actions', { ip: entry.ip })} />}
      groups={[
        { actions: [{ label: t('edit'), onSelect: () => onAsk({ what: 'edit', entry }) }] },
        { actions: [{ label: t('delete'), danger: true, onSelect: () => onAsk({ what: 'delete', entry }) }] },
      ]}
    />
  )
  return [
    {
      key: 'ip',
      label: t('columns.ip'),
      fixed: true,
      sort: true,
      phone: 'title',
      cell: entry => <bdi className="ip">{entry.ip}</bdi>,
    },
    { key: 'remark', label: t('columns.remark'), sort: true, wrap: true, phone: 'extra', cell: entry => entry.remark },
    {
      key: 'createdAt',
      label: t('columns.created'),
      sort: true,
      until: 1180,
      cell: entry => <Moment at={entry.createdAt} />,
    },
    actionsColumn(t('columns.actions'), actions),
  ]
}

/** From where people may come; an empty list lets them come from anywhere. */
export function Whitelist() {
  const t = useTranslations('security.whitelist')
  const table = useTable()
  const call = useCall('ip-whitelist/list', table.input)
  const here = useCall('ip-whitelist/current', {})
  const [asking, setAsking] = useState<Asking>()
  const columns = useColumns(setAsking)
  const total = call.data?.total ?? 0
  const close = () => setAsking(undefined)
  return (
    <>
      <Card title={t('title')} pad>
        <div className="stack">
          <p className="soft">
            {t('why')} {here.data && t('here', { ip: here.data.ip })}
          </p>
          <WhitelistCheck />
        </div>
      </Card>
      <DataTable
        id="whitelist"
        label={t('list')}
        columns={columns}
        table={table}
        call={call}
        rowKey={entry => String(entry.id)}
        searchLabel={t('search')}
        tools={
          <Button small icon="plus" onClick={() => setAsking({ what: 'edit' })}>
            {t('add')}
          </Button>
        }
        empty={<EmptyState icon="lock" title={t('empty')} />}
      />
      {asking?.what === 'edit' && (
        <EntryDialog entry={asking.entry} own={here.data?.ip ?? ''} first={total === 0} onClose={close} />
      )}
      {asking?.what === 'delete' && <DeleteDialog entry={asking.entry} last={total === 1} onClose={close} />}
    </>
  )
}

type EntryProps = { entry?: Entry; own: string; first: boolean; onClose: () => void }

function EntryDialog({ entry, own, first, onClose }: EntryProps) {
  const t = useTranslations('security.whitelist')
  const [ip, setIp] = useState(entry?.ip ?? '')
  const [remark, setRemark] = useState(entry?.remark ?? '')
  const save = async () => {
    if (entry) await callApi('ip-whitelist/update', { id: entry.id, ip, remark })
    else await callApi('ip-whitelist/add', { ip, remark })
    toast('ok', t('saved'))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={entry ? t('editTitle') : t('addTitle')}
      consequences={first ? [t('firstWhat')] : []}
      action={entry ? t('save') : t('add')}
      onConfirm={save}
    >
      {errors => (
        <>
          <TextField label={t('ip')} help={t('ipHelp')} dir="ltr" value={ip} onChange={setIp} error={errors.ip} />
          {own !== '' && (
            <div>
              <Button small kind="ghost" onClick={() => setIp(own)}>
                {t('own')}
              </Button>
            </div>
          )}
          <TextField label={t('remark')} optional value={remark} onChange={setRemark} error={errors.remark} />
        </>
      )}
    </ConfirmDialog>
  )
}

function DeleteDialog({ entry, last, onClose }: { entry: Entry; last: boolean; onClose: () => void }) {
  const t = useTranslations('security.whitelist')
  return (
    <ActDialog
      call="ip-whitelist/delete"
      input={{ id: entry.id }}
      done={t('deleted')}
      danger
      onClose={onClose}
      title={t('deleteTitle', { ip: entry.ip })}
      consequences={[last ? t('deleteLast') : t('deleteWhat')]}
      action={t('delete')}
    />
  )
}
