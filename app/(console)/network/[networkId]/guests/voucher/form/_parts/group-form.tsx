'use client'
import '../../_parts/vouchers.css'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button, LinkButton } from '@/app/_ui/button'
import { Crumb } from '@/app/_ui/crumb'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import type { Group } from '../../_parts/rows'
import { type FormValues, inputOf, valuesOf } from './form-values'
import { LimitFields, MainFields, ResetFields } from './group-fields'

/** Makes a group of vouchers; with `id` changes the terms of one. */
export function GroupForm({ id }: { id: number | undefined }) {
  const t = useTranslations('vouchers.form')
  const group = useNetworkCall('vouchers/groups/get', id === undefined ? null : { id }, { keep: false })
  const settings = useNetworkCall('vouchers/settings', {}, { keep: false })
  const error = group.error ?? settings.error
  const ready = settings.data && (id === undefined || group.data)
  return (
    <>
      {group.data && <Crumb name={group.data.name} />}
      <PageHead title={t(id === undefined ? 'newTitle' : 'editTitle')} />
      <section className="card" style={{ maxInlineSize: 'var(--form-max)' }}>
        {ready && settings.data ? (
          <Form
            key={group.data?.revision}
            group={group.data}
            start={group.data ?? settings.data.last}
            zone={settings.data.timezone}
          />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void (group.error ? group : settings).mutate()} />
        ) : (
          <SkeletonLines lines={8} />
        )}
      </section>
    </>
  )
}

function useSave(group: Group | undefined) {
  const t = useTranslations('vouchers.form')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const { errors, busy, run } = useSubmit<'save'>()
  const place = `/network/${networkId}/guests/voucher`
  const save = (values: FormValues) =>
    run('save', async () => {
      const about = group && { id: group.id, revision: group.revision }
      const { id } = await callApi('vouchers/groups/save', withNetwork({ ...about, ...inputOf(values, !group) }))
      toast('ok', group ? t('saved') : t(values.quantity ? 'made' : 'saved', { count: values.quantity ?? 0 }))
      router.push(`${place}/detail?id=${id}`)
    })
  return { save, errors, busy: busy !== undefined, back: group ? `${place}/detail?id=${group.id}` : place }
}

type Props = { group: Group | undefined; start: Group | null; zone: string }

function Form({ group, start, zone }: Props) {
  const t = useTranslations('vouchers.form')
  const fields = useFields<FormValues>(valuesOf(group, start))
  const { save, errors, busy, back } = useSave(group)
  const { values } = fields
  const part = { ...fields, errors }
  const complete = values.name.trim() !== '' && (group !== undefined || values.desk || values.quantity !== undefined)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (complete && !busy) void save(values)
      }}
    >
      <LeaveGuard on={fields.changed} busy={busy} />
      <div className="form-section">
        <h2>{t('main')}</h2>
        <MainFields {...part} fresh={!group} />
      </div>
      <div className="form-section">
        <h2>{t('limits')}</h2>
        <LimitFields {...part} />
      </div>
      <div className="form-section">
        <h2>{t('reset')}</h2>
        <ResetFields {...part} zone={zone} />
      </div>
      <div className="form-section">
        {group && group.counts.total > 0 && <Note tone="info" title={t('editWhat', { count: group.counts.total })} />}
        <div className="form-end">
          <LinkButton href={back}>{t('cancel')}</LinkButton>
          <Button type="submit" kind="primary" busy={busy} disabled={!complete}>
            {group
              ? t('save')
              : t(values.quantity || !values.desk ? 'make' : 'makeGroup', { count: values.quantity || 0 })}
          </Button>
        </div>
      </div>
    </form>
  )
}
