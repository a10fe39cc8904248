'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { CheckboxGroup, ChoiceCards } from '@/app/_ui/check'
import { NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { ssidLength } from '@/model/rules'
import { StepFrame } from './step-frame'
import { useStep } from './use-step'
import type { Draft, StepProps } from './wizard-data'

const securities = ['wpa2wpa3', 'wpa3', 'wpa2', 'owe', 'open'] as const
const bands = ['2g', '5g', '6g'] as const
const keyless = ['open', 'owe']

const text = (ssid: Draft['ssid'], name: string, otherwise: string) =>
  typeof ssid?.[name] === 'string' ? ssid[name] : otherwise

export function SsidStep({ draft, onSaved, onBack }: StepProps) {
  const t = useTranslations('wizard.ssid')
  const { busy, errors, failure, run, clear } = useStep(['name', 'security', 'key', 'bands', 'vlan'])
  const { ssid } = draft
  const kept = ssid?.key !== undefined
  const [name, setName] = useState(text(ssid, 'name', ''))
  const [security, setSecurity] = useState(text(ssid, 'security', 'wpa2wpa3'))
  const [key, setKey] = useState('')
  const [chosen, setChosen] = useState<string[]>(Array.isArray(ssid?.bands) ? ssid.bands.map(String) : ['2g', '5g'])
  const [vlan, setVlan] = useState(typeof ssid?.vlan === 'number' ? ssid.vlan : undefined)
  const needsKey = !keyless.includes(security)
  const able = draft.devices.some(device => device.wifi)
  const change =
    <T,>(field: string, set: (value: T) => void) =>
    (value: T) => {
      clear(field)
      set(value)
    }
  const send = async () => {
    const secret = key !== '' ? key : kept ? { set: true } : undefined
    const input = {
      name,
      security,
      bands: chosen,
      ...(needsKey && secret !== undefined && { key: secret }),
      ...(vlan !== undefined && { vlan }),
    }
    const saved = await run(() => callApi('wizard/ssid', input, { quiet: true }))
    if (saved) onSaved(saved)
  }
  const skip = async () => {
    const saved = await run(() => callApi('wizard/skip', { step: 'ssid' }, { quiet: true }))
    if (saved) onSaved(saved)
  }
  return (
    <StepFrame title={t('title')} intro={t('intro')} onSubmit={send} onSkip={skip} onBack={onBack} busy={busy}>
      <div className="stack">
        {!able && (
          <Note tone="info" title={t('noRadio')}>
            {t('noRadioMore')}
          </Note>
        )}
        {failure && <Note tone="bad" alert title={failure} />}
        <section className="card form-section">
          <TextField
            label={t('name')}
            help={t('nameHelp', { count: ssidLength(name) })}
            value={name}
            onChange={change('name', setName)}
            error={errors.name}
          />
          <ChoiceCards
            label={t('security')}
            options={securities.map(value => ({ value, label: t(`kinds.${value}`), help: t(`kindHelp.${value}`) }))}
            value={security}
            onChange={change('security', setSecurity)}
            error={errors.security}
          />
          {needsKey && (
            <PasswordField
              label={t('key')}
              help={t('keyHelp')}
              kept={kept}
              value={key}
              onChange={change('key', setKey)}
              error={errors.key}
            />
          )}
          <CheckboxGroup
            label={t('bands')}
            options={bands.map(value => ({ value, label: t(`band.${value}`) }))}
            value={chosen}
            onChange={change('bands', setChosen)}
            error={errors.bands}
          />
          <NumberField
            label={t('vlan')}
            optional
            help={t('vlanHelp')}
            value={vlan}
            onChange={change('vlan', setVlan)}
            error={errors.vlan}
          />
        </section>
      </div>
    </StepFrame>
  )
}
