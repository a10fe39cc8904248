'use client'
import '../../_parts/vouchers.css'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button, IconButton, LinkButton } from '@/app/_ui/button'
import { Card, KeyValues } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Crumb } from '@/app/_ui/crumb'
import { DownloadButton } from '@/app/_ui/download-button'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { DeleteGroups } from '../../_parts/groups-page'
import type { Group } from '../../_parts/rows'
import { Left, secondsOf, useLasting, useTerms } from '../../_parts/words'
import { AddVouchers } from './dialogs'
import { PrintDialog } from './print-dialog'
import { Vouchers } from './vouchers'

/** One group: what its vouchers give, and each of them. */
export function GroupDetail({ id }: { id: number }) {
  const t = useTranslations('vouchers')
  const call = useNetworkCall('vouchers/groups/get', { id }, { live: true, keep: false })
  const group = call.data
  if (call.error)
    return (
      <>
        <PageHead title={t('detail.title')} />
        <Card>
          <ErrorState error={call.error} onRetry={() => void call.mutate()} />
        </Card>
      </>
    )
  return (
    <>
      {group && <Crumb name={group.name} />}
      <PageHead title={group?.name ?? t('detail.title')}>{group && <Actions group={group} />}</PageHead>
      <div className="stack">
        <Card title={t('detail.terms')} pad={group !== undefined}>
          {group ? <Terms group={group} /> : <SkeletonLines lines={4} />}
        </Card>
        {group && <Vouchers group={group} />}
      </div>
    </>
  )
}

function Terms({ group }: { group: Group }) {
  const t = useTranslations('vouchers')
  const lasting = useLasting()
  const terms = useTerms()(group)
  const label = (key: string) => t(`columns.${key as 'name'}`)
  return (
    <KeyValues
      rows={[
        [label('left'), <Left key="left" counts={group.counts} />],
        [label('lasting'), lasting(secondsOf(group))],
        [label('validityDays'), t('validityDays', { count: group.validityDays })],
        [label('maxDevices'), terms.devices],
        [label('data'), terms.data],
        [label('rates'), terms.rates],
        group.resetDays > 0 && [label('reset'), terms.reset],
        group.notes !== '' && [label('notes'), group.notes],
        [label('createdAt'), <Made key="made" group={group} />],
      ]}
    />
  )
}

const Made = ({ group }: { group: Group }) => (
  <>
    <Moment at={group.createdAt} /> <span className="soft">{group.createdBy}</span>
  </>
)

function Actions({ group }: { group: Group }) {
  const t = useTranslations('vouchers')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const [asking, setAsking] = useState<'add' | 'delete' | 'print'>()
  const [mayEdit, mayExport, mayPrint] = [useMay('vouchers_edit'), useMay('exports'), useMay('vouchers_print')]
  const good = group.counts.unused + group.counts.inUse
  const place = `/network/${networkId}/guests/voucher`
  return (
    <>
      {mayExport && (
        <DownloadButton address={`/app/exports/vouchers?networkId=${networkId}&groupId=${group.id}`}>
          {t('export')}
        </DownloadButton>
      )}
      {mayEdit && (
        <>
          <LinkButton icon="edit" href={`${place}/form?id=${group.id}`}>
            {t('edit')}
          </LinkButton>
          <Button icon="plus" onClick={() => setAsking('add')}>
            {t('more')}
          </Button>
          <Menu
            trigger={<IconButton icon="more" label={t('otherActions')} />}
            groups={[
              {
                actions: [
                  { label: t('deleteGroup'), icon: 'trash', danger: true, onSelect: () => setAsking('delete') },
                ],
              },
            ]}
          />
        </>
      )}
      {mayPrint && good > 0 && (
        <Button kind="primary" icon="print" onClick={() => setAsking('print')}>
          {t('print.action')}
        </Button>
      )}
      {asking === 'print' && (
        <PrintDialog {...{ group, ids: undefined, count: good }} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'add' && <AddVouchers group={group} onClose={() => setAsking(undefined)} />}
      {asking === 'delete' && (
        <DeleteGroups
          groups={[group]}
          onClose={done => {
            setAsking(undefined)
            if (done) router.push(place)
          }}
        />
      )}
    </>
  )
}
