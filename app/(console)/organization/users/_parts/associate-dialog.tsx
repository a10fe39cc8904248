'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { IconButton } from '@/app/_ui/button'
import { ComboField } from '@/app/_ui/combo-field'
import { toast } from '@/app/_ui/toast'
import type { Company } from './rows'

/** Which organizations one knows of: another is added, or one is ended. */
export function AssociateDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const t = useTranslations('users.companies')
  const [otherId, setOther] = useState('')
  const all = useCall('companies/list', {}, { live: true })
  const companies = all.data?.result ?? []
  const now = companies.find(one => one.id === company.id)?.associated ?? company.associated
  const free = companies.filter(one => one.id !== company.id && !now.some(other => other.id === one.id))
  const other = free.find(one => String(one.id) === otherId)?.name ?? ''
  const name = company.name
  const end = async (one: { id: number; name: string }) => {
    // A failure is told by a toast; the line stays as it is.
    const done = await callApi('companies/disassociate', { id: company.id, otherId: one.id }).catch(() => undefined)
    if (done) toast('ok', t('disassociated', { name, other: one.name }))
  }
  return (
    <ActDialog
      call="companies/associate"
      input={{ id: company.id, otherId: Number(otherId) }}
      done={t('associateDone', { name, other })}
      title={t('associateTitle', { name })}
      help={t('associateHelp')}
      action={t('associateNow')}
      disabled={otherId === ''}
      onClose={onClose}
    >
      {errors => (
        <>
          {now.map(one => (
            <div key={one.id} className="row">
              <span className="grow">{one.name}</span>
              <IconButton
                small
                kind="ghost"
                icon="close"
                label={t('disassociate', { name: one.name })}
                onClick={() => void end(one)}
              />
            </div>
          ))}
          {now.length > 0 && <p className="fine-print muted">{t('staysShared')}</p>}
          <ComboField
            label={t('associateWith')}
            value={otherId}
            error={errors.otherId}
            options={free.map(one => ({ value: String(one.id), label: one.name }))}
            onChange={setOther}
          />
        </>
      )}
    </ActDialog>
  )
}
