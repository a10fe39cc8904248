'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { download } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { OwnForm } from '@/app/_form/own-form'
import { isKept } from '@/app/_form/values'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { DataTable } from '@/app/_ui/data-table'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { CertificateCard } from './certificate'
import { useColumns } from './columns'
import { CreateDialog, DeleteDialog, RestoreDialog, VerifyDialog } from './dialogs'
import { Overview } from './overview'
import type { Backup } from './rows'
import type { OwnSpecs, TabProps } from './tab-props'
import { UploadButton } from './upload'

type Asking = { what: 'restore' | 'verify' | 'delete'; backup: Backup } | { what: 'create' } | undefined

/** Backups of the whole manager: when the last one was proven, every one there is, and when the next is made. */
export function BackupsPage({ specs, children }: TabProps) {
  const t = useTranslations('backups')
  const [asking, setAsking] = useState<Asking>()
  const table = useTable()
  const mayEdit = useMay('organization_manager_edit')
  const call = useCall('backups/list', table.input, { live: true })
  // Where the search's “Back up now” leads.
  useEffect(() => {
    if (mayEdit && window.location.hash === '#create') setAsking({ what: 'create' })
  }, [mayEdit])
  const columns = useColumns(backup => (
    <Menu
      trigger={<IconButton small kind="ghost" icon="more" label={t('actions', { name: backup.name })} />}
      groups={[
        {
          actions: [
            { label: t('restore'), onSelect: () => setAsking({ what: 'restore', backup }) },
            { label: t('verify'), onSelect: () => setAsking({ what: 'verify', backup }) },
            {
              label: t('download'),
              onSelect: () => void download(`/app/backups/download?name=${encodeURIComponent(backup.name)}`),
            },
          ],
        },
        { actions: [{ label: t('delete'), danger: true, onSelect: () => setAsking({ what: 'delete', backup }) }] },
      ]}
    />
  ))
  return (
    <>
      <PageHead title={t('title')}>
        {mayEdit && (
          <>
            <UploadButton />
            <Button kind="primary" icon="plus" busy={call.data?.running} onClick={() => setAsking({ what: 'create' })}>
              {t('create')}
            </Button>
          </>
        )}
      </PageHead>
      {children}
      <div className="stack">
        <Card title={t('backups')} pad>
          <Loaded call={call}>{data => <Overview data={data} />}</Loaded>
        </Card>
        <DataTable
          id="backups"
          label={t('all')}
          columns={mayEdit ? columns : columns.filter(column => column.key !== 'actions')}
          table={table}
          call={call}
          rowKey={backup => backup.name}
          searchLabel={t('search')}
          empty={<EmptyState icon="download" title={t('empty')} />}
        />
        {mayEdit && <Schedule spec={specs.backupSchedule} timezone={call.data?.timezone ?? ''} />}
        <CertificateCard />
      </div>
      <Dialogs asking={asking} onClose={() => setAsking(undefined)} />
    </>
  )
}

type ScheduleProps = { spec: OwnSpecs['backupSchedule']; timezone: string }

/** When backups are made by themselves; the passphrase is the one secret here that may be taken away again. */
function Schedule({ spec, timezone }: ScheduleProps) {
  const t = useTranslations('backups')
  return (
    <OwnForm
      spec={spec}
      changes={['backups/list']}
      helps={{ time: t('timeHelp', { zone: timezone }) }}
      beside={(key, { form }) =>
        key === 'passphrase' &&
        isKept(form.values.fields.passphrase) && (
          <div>
            <Button small icon="trash" onClick={() => form.set('passphrase', undefined)}>
              {t('removePassphrase')}
            </Button>
          </div>
        )
      }
    />
  )
}

function Dialogs({ asking, onClose }: { asking: Asking; onClose: () => void }) {
  if (asking?.what === 'create') return <CreateDialog onClose={onClose} />
  if (asking?.what === 'restore') return <RestoreDialog backup={asking.backup} onClose={onClose} />
  if (asking?.what === 'verify') return <VerifyDialog backup={asking.backup} onClose={onClose} />
  return asking && <DeleteDialog backup={asking.backup} onClose={onClose} />
}
