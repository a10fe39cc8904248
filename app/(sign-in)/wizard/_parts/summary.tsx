'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { callApi } from '@/app/_api/client'
import { wordOr } from '@/app/_i18n/word'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import { StepFrame } from './step-frame'
import { useStep } from './use-step'
import type { Pushed, StepId, StepProps } from './wizard-data'

type Props = StepProps & { onEdit: (step: StepId) => void; onFinished: (pushed: Pushed) => void }

export function SummaryStep({ draft, onBack, onEdit, onFinished }: Props) {
  const t = useTranslations('wizard.summary')
  const all = useTranslations('wizard')
  const locale = useLocale()
  const { busy, failure, run } = useStep()
  const { general, account, devices, ssid } = draft
  const send = async () => {
    const done = await run(() => callApi('wizard/finish', {}, { quiet: true }))
    if (!done) return
    if (!done.push) return window.location.assign(`/network/${done.networkId}/dashboard`)
    // The address keeps the push: a reload shows how it goes.
    window.history.replaceState(null, '', `/wizard?push=${done.push.jobId}`)
    onFinished({ job: done.push.jobId, networkId: done.networkId })
  }
  const place =
    general && [new Intl.DisplayNames([locale], { type: 'region' }).of(general.country), general.timezone].join(', ')
  const wifi = devices.filter(device => device.wifi).length
  const rows: { step: StepId; value: ReactNode }[] = [
    { step: 'general', value: general && `${general.name} · ${place}` },
    { step: 'account', value: account && [account.account, account.email].filter(Boolean).join(' · ') },
    { step: 'devices', value: devices.map(device => device.name).join(', ') || t('none') },
    {
      step: 'ssid',
      value: ssid
        ? `${String(ssid.name)} · ${wordOr(all, `ssid.kinds.${String(ssid.security ?? 'wpa2wpa3')}`)}`
        : t('none'),
    },
  ]
  return (
    <StepFrame
      title={t('title')}
      intro={t('intro')}
      onSubmit={send}
      onBack={onBack}
      busy={busy}
      action={ssid && wifi > 0 ? t('finishAndPush', { count: wifi }) : t('finish')}
    >
      <div className="stack">
        {failure && <Note tone="bad" alert title={failure} />}
        <Card>
          {rows.map(({ step, value }) => (
            <div className="summary-row" key={step}>
              <span className="muted">{all(`steps.${step}`)}</span>
              <span className="medium">{value}</span>
              <Button
                small
                kind="ghost"
                onClick={() => onEdit(step)}
                aria-label={t('editStep', { step: all(`steps.${step}`) })}
              >
                {t('edit')}
              </Button>
            </div>
          ))}
        </Card>
        {ssid && wifi > 0 && (
          <Note tone="info" title={t('pushTitle', { count: wifi })}>
            {t('pushMore')}
          </Note>
        )}
      </div>
    </StepFrame>
  )
}
