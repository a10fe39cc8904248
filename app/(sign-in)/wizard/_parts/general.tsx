'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useMemo, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { ComboField } from '@/app/_ui/combo-field'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { SelectField } from '@/app/_ui/select-field'
import { ownZone, ZoneField, zoneFor } from '@/app/_ui/zone-field'
import type { Language } from '../../_parts/language-pick'
import { StepFrame } from './step-frame'
import { useStep, useTyped } from './use-step'
import { clockGap, type Info, type StepProps } from './wizard-data'

type Props = StepProps & { info: Info; languages: readonly Language[]; locale: string; onRestore: () => void }

function useCountries() {
  const locale = useLocale()
  const countries = useCall('wizard/countries', {}).data
  return useMemo(() => {
    const names = new Intl.DisplayNames([locale], { type: 'region' })
    return (countries?.result ?? [])
      .map(code => ({ value: code, label: names.of(code) ?? code }))
      .sort((a, b) => a.label.localeCompare(b.label, locale))
  }, [countries, locale])
}

/** What the browser knows of the place, as a first guess. */
function useGuess() {
  const [guess, setGuess] = useState({ country: '', timezone: '' })
  useEffect(() => {
    const region = new Intl.Locale(navigator.language).region
    setGuess({ country: region ?? '', timezone: ownZone() })
  }, [])
  return guess
}

export function GeneralStep({ draft, typed, onSaved, onBack, info, languages, locale, onRestore }: Props) {
  const t = useTranslations('wizard.general')
  const { busy, errors, failure, run, clear } = useStep(['name', 'country', 'timezone', 'language'])
  const countries = useCountries()
  const guess = useGuess()
  const { values: fields, put } = useTyped(typed, 'general', {
    name: draft.general?.name ?? '',
    country: draft.general?.country ?? '',
    timezone: draft.general?.timezone ?? '',
    language: draft.general?.language ?? locale,
  })
  const country = fields.country || guess.country
  const timezone = fields.timezone || zoneFor(country, guess.timezone) || info.timezone
  const set = (name: keyof typeof fields) => (value: string) => {
    clear(name)
    put({ [name]: value })
  }
  const send = async () => {
    const input = { ...fields, country, timezone }
    const saved = await run(() => callApi('wizard/general', { step: 'general', ...input }, { quiet: true }))
    if (saved) onSaved(saved)
  }
  return (
    <StepFrame title={t('title')} intro={t('intro')} onSubmit={send} onBack={onBack} busy={busy}>
      <div className="stack">
        <ClockNote time={info.time} />
        {failure && <Note tone="bad" alert title={failure} />}
        <section className="card form-section">
          <TextField
            label={t('name')}
            help={t('nameHelp')}
            maxLength={64}
            autoFocus
            value={fields.name}
            onChange={set('name')}
            error={errors.name}
          />
          <div className="two-columns">
            <ComboField
              label={t('country')}
              help={t('countryHelp')}
              options={countries}
              value={country}
              onChange={set('country')}
              error={errors.country}
            />
            <ZoneField label={t('timezone')} value={timezone} onChange={set('timezone')} error={errors.timezone} />
          </div>
          {languages.length > 1 && (
            <SelectField
              label={t('language')}
              options={languages.map(({ code, name }) => ({ value: code, label: name }))}
              value={fields.language}
              onChange={set('language')}
              error={errors.language}
            />
          )}
        </section>
        <div className="row wrapping">
          <span className="muted">{t('restoreLead')}</span>
          <Button small onClick={onRestore}>
            {t('restore')}
          </Button>
        </div>
      </div>
    </StepFrame>
  )
}

/** Certificates, schedules and alerts go by the manager's clock: a wrong one is told before anything else. */
function ClockNote({ time }: { time: number }) {
  const t = useTranslations('wizard.general')
  const locale = useLocale()
  const [gap, setGap] = useState<number>()
  useEffect(() => setGap(clockGap(time, Date.now())), [time])
  if (gap === undefined) return null
  const show = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  const words = { manager: show.format(Date.now() + gap), browser: show.format(Date.now()) }
  return (
    <Note tone="warn" title={t('clock', { minutes: Math.round(Math.abs(gap) / 60_000) })}>
      {t('clockMore', words)}
    </Note>
  )
}
