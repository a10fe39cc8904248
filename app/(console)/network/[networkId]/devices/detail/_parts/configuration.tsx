'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi, whenRenewed } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useWhy } from '@/app/_api/use-why'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card, KeyValues } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { Note } from '@/app/_ui/note'
import { EmptyState } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'
import { Maybe } from '@/app/_ui/value'
import { Missed, useMissed } from '../../_parts/configuration'
import { PushState } from '../../_parts/push-state'
import { CompareDialog } from './compare-dialog'
import type { DeviceInfo } from './device-info'

type Push = CallOutput<'devices/config/history'>['result'][number]

/** Whether something saved waits for this device. Some devices can only be read. */
export function useWaiting(info: DeviceInfo) {
  const changes = useNetworkCall('changes/list', info.can.settings === 'none' ? null : {}, { live: true })
  return changes.data?.devices.find(device => device.deviceId === info.id)
}

export const reviewPath = (networkId: string) => `/network/${networkId}/settings/review`

/** Whether the device runs what was saved: what waits, else what does not reach it, else how the last push ended. */
function State({ info, newest }: { info: DeviceInfo; newest: Push | undefined }) {
  const t = useTranslations('devices.detail.configuration')
  const waiting = useWaiting(info)
  const count = useMissed([info.id])?.get(info.id)
  if (waiting) return <PushState state={waiting.state} />
  if (count === undefined) return <Maybe value={undefined}>{() => null}</Maybe>
  if (count !== 0) return <Missed count={count} />
  return newest ? <PushState state={newest.state} /> : t('none')
}

/** Whether the device runs what was saved, who undoes a failed push, and the last one. */
export function SafeChange({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.configuration')
  const history = useNetworkCall(
    'devices/config/history',
    info.can.settings === 'none' ? null : { deviceId: info.id, pageSize: 10 },
    { live: true },
  )
  const newest = history.data?.result[0]
  if (info.can.settings === 'none')
    return (
      <Card title={t('title')} pad>
        <p className="muted">{t('readOnly')}</p>
      </Card>
    )
  return (
    <Card title={t('title')} pad>
      <KeyValues
        rows={[
          [t('state'), <State key="s" {...{ info, newest }} />],
          info.reverts !== 'none' && [t('undoneBy'), t(info.reverts)],
          newest !== undefined && [t('last'), <Moment key="l" at={newest.createdAt} />],
          info.hostKey !== '' && [
            t('hostKey'),
            <span key="h" className="ip truncated" title={info.hostKey}>
              {info.hostKey.length > 20 ? `${info.hostKey.slice(0, 12)}…${info.hostKey.slice(-4)}` : info.hostKey}
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

function useColumns(): Column<Push>[] {
  const t = useTranslations('devices.detail.configuration')
  const why = useWhy()
  return [
    {
      key: 'at',
      sort: true,
      label: t('at'),
      fixed: true,
      phone: 'state',
      width: '180px',
      cell: push => <Moment at={push.createdAt} />,
    },
    {
      key: 'state',
      sort: true,
      label: t('result'),
      fixed: true,
      phone: 'title',
      cell: push => <PushState state={push.state} />,
    },
    { key: 'by', sort: true, label: t('by'), phone: 'key', cell: push => push.by },
    {
      key: 'why',
      label: t('why'),
      wrap: true,
      cell: push =>
        [push.restored && `${t('restored')}.`, why(push.reason, push.detail, push.values)].filter(Boolean).join(' '),
    },
  ]
}

/** Every push to this device, newest first: two are compared, one is gone back to. */
export function Configuration({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.configuration')
  const { networkId } = useParams<{ networkId: string }>()
  const table = useTable()
  const waiting = useWaiting(info)
  const [picked, setPicked] = useState<string[]>([])
  const call = useNetworkCall('devices/config/history', { deviceId: info.id, ...table.input }, { live: true })
  const columns = useColumns()
  const chosen = call.data?.result.filter(push => picked.includes(push.deploymentId) && push.kept) ?? []
  return (
    <div className="stack">
      {waiting?.drifted && (
        <Note tone="warn" title={t('drifted')}>
          {t('changedText')}
        </Note>
      )}
      <span className="row">
        {/* Where something saved waits, the head of the page has it. */}
        {waiting?.drifted && !waiting.modified && (
          <LinkButton kind="primary" href={reviewPath(networkId)}>
            {t('review')}
          </LinkButton>
        )}
        <CheckNow info={info} />
      </span>
      <p className="muted">{t('compareHelp')}</p>
      <DataTable
        id="device-pushes"
        label={t('history')}
        columns={columns}
        table={table}
        call={call}
        rowKey={push => push.deploymentId}
        searchLabel={t('search')}
        selection={picked}
        onSelection={keys => setPicked(keys.slice(-2))}
        empty={<EmptyState icon="history" title={t('empty')} />}
      />
      <Chosen chosen={chosen} deviceId={info.id} onClear={() => setPicked([])} />
    </div>
  )
}

/** Asks the device whether somebody changed it since the last push. */
function CheckNow({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.configuration')
  const [busy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    // A device that does not answer is told by a toast.
    const told = await callApi('devices/config/check', withNetwork({ deviceId: info.id })).catch(() => undefined)
    if (told?.drifted === 0) toast('ok', t('asPushed'))
    await whenRenewed()
    setBusy(false)
  }
  return (
    <Button icon="refresh" busy={busy} onClick={check}>
      {t('check')}
    </Button>
  )
}

type ChosenProps = { chosen: readonly Push[]; deviceId: number; onClear: () => void }

/** What can be done with one or two chosen configurations. */
function Chosen({ chosen, deviceId, onClear }: ChosenProps) {
  const t = useTranslations('devices.detail.configuration')
  const { networkId } = useParams<{ networkId: string }>()
  const [comparing, setComparing] = useState(false)
  const mayPush = useMay('devices_edit')
  const [newer, older] = chosen
  const first = older ?? newer
  const back = newer && `device=${deviceId}&restore=${newer.deploymentId}&at=${newer.createdAt}`
  return (
    <>
      <BulkBar count={chosen.length} label={t('history')} onClear={onClear}>
        <Button icon="search" onClick={() => setComparing(true)}>
          {older ? t('compare') : t('compareNow')}
        </Button>
        {mayPush && back && !older && (
          <LinkButton icon="undo" href={`${reviewPath(networkId)}?${back}`}>
            {t('goBack')}
          </LinkButton>
        )}
      </BulkBar>
      {comparing && first && (
        <CompareDialog from={first} {...(older && newer && { to: newer })} onClose={() => setComparing(false)} />
      )}
    </>
  )
}
