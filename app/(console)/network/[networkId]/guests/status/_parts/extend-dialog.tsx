import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ChoiceCards } from '@/app/_ui/check'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { NumberField } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'
import type { GuestsProps } from './dialogs'

const minutesOf = { half: 30, hour: 60, four: 240, day: 1440 } as const
const spans = ['half', 'hour', 'four', 'day', 'own'] as const
type Span = (typeof spans)[number]

/** More time for who is in; a voucher's time is the voucher's, and it is renewed instead. */
export function ExtendDialog({ guests, onClose }: GuestsProps) {
  const t = useTranslations('guests.extend')
  const [span, setSpan] = useState<Span>('hour')
  const [own, setOwn] = useState<number>()
  const able = guests.filter(one => one.voucher === null && !one.provisional)
  const vouchers = guests.filter(one => one.voucher !== null).length
  const waiting = guests.length - able.length - vouchers
  const minutes = span === 'own' ? own : minutesOf[span]
  const save = async () => {
    const { extended, less, silent } = await callApi(
      'guests/extend',
      withNetwork({ ids: able.map(one => one.id), minutes: minutes ?? 0 }),
    )
    if (silent > 0) toast('warn', t('doneLater', { count: extended }))
    else if (less > 0) toast('warn', t('doneLess', { count: extended, less }))
    else toast('ok', t('done', { count: extended }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { count: able.length, mac: able[0]?.mac.toUpperCase() ?? '' })}
      consequences={[
        ...(vouchers > 0 ? [t('vouchers', { count: vouchers })] : []),
        ...(waiting > 0 ? [t('waiting', { count: waiting })] : []),
        ...(able.length > 0 ? [t('limits')] : []),
      ]}
      action={t('save')}
      disabled={able.length === 0 || minutes === undefined || Number.isNaN(minutes)}
      onConfirm={save}
    >
      {errors => (
        <>
          <ChoiceCards
            label={t('howLong')}
            value={span}
            options={spans.map(value => ({ value, label: t(`spans.${value}`) }))}
            onChange={value => setSpan(value as Span)}
          />
          {span === 'own' && <NumberField label={t('minutes')} value={own} error={errors.minutes} onChange={setOwn} />}
        </>
      )}
    </ConfirmDialog>
  )
}
