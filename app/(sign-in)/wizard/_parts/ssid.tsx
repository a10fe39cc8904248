'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { CheckboxGroup, ChoiceCards } from '@/app/_ui/check'
import { NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { ssidLength } from '@/model/rules'
import { StepFrame } from './step-frame'
import { useStep, useTyped } from './use-step'
import type { Draft, StepProps } from './wizard-data'

const securities = ['wpa2wpa3', 'wpa3', 'wpa2', 'owe', 'open'] as const
const bands = ['2g', '5g', '6g'] as const
const keyless = ['open', 'owe']

const text = (ssid: Draft['ssid'], name: string, otherwise: string) =>
  typeof ssid?.[name] === 'string' ? ssid[name] : otherwise

/** A draft's key is never sent here: empty, it stays. */
const valuesOf = (ssid: Draft['ssid']) => ({
  name: text(ssid, 'name', ''),
  security: text(ssid, 'security', 'wpa2wpa3'),
  key: '',
  bands: Array.isArray(ssid?.bands) ? ssid.bands.map(String) : ['2g', '5g'],
  vlan: typeof ssid?.vlan === 'number' ? ssid.vlan : undefined,
})
type Values = ReturnType<typeof valuesOf>

const needsKey = ({ security }: Values) => !keyless.includes(security)

function inputOf(values: Values, isKept: boolean) {
  const { key, vlan, ...others } = values
  const secret = key !== '' ? key : isKept ? { set: true } : undefined
  return {
    ...others,
    ...(needsKey(values) && secret !== undefined && { key: secret }),
    ...(vlan !== undefined && { vlan }),
  }
}

export function SsidStep({ draft, typed, onSaved, onBack }: StepProps) {
  const t = useTranslations('wizard.ssid')
  const { busy, errors, failure, run, clear } = useStep(['name', 'security', 'key', 'bands', 'vlan'])
  const form = useTyped(typed, 'ssid', valuesOf(draft.ssid))
  const isKept = draft.ssid?.key !== undefined
  const save = async (work: () => Promise<Draft>) => {
    const saved = await run(work)
    if (saved) onSaved(saved)
  }
  const send = () => save(() => callApi('wizard/ssid', inputOf(form.values, isKept), { quiet: true }))
  const skip = () => save(() => callApi('wizard/skip', { step: 'ssid' }, { quiet: true }))
  /** A field that is typed in again has no error until it is sent. */
  const field: Field = name => {
    const { onChange, ...rest } = form.field(name, errors)
    return {
      ...rest,
      onChange: value => {
        clear(name)
        onChange(value)
      },
    }
  }
  return (
    <StepFrame title={t('title')} intro={t('intro')} onSubmit={send} onSkip={skip} onBack={onBack} busy={busy}>
      <div className="stack">
        {!draft.devices.some(device => device.wifi) && (
          <Note tone="info" title={t('noRadio')}>
            {t('noRadioMore')}
          </Note>
        )}
        {failure && <Note tone="bad" alert title={failure} />}
        <Fields values={form.values} field={field} isKept={isKept} />
      </div>
    </StepFrame>
  )
}

type Field = <Name extends keyof Values>(
  name: Name,
) => { value: Values[Name]; error: string | undefined; onChange: (value: Values[Name]) => void }

function Fields({ values, field, isKept }: { values: Values; field: Field; isKept: boolean }) {
  const t = useTranslations('wizard.ssid')
  return (
    <section className="card form-section">
      <TextField label={t('name')} help={t('nameHelp', { count: ssidLength(values.name) })} {...field('name')} />
      <ChoiceCards
        label={t('security')}
        options={securities.map(value => ({ value, label: t(`kinds.${value}`), help: t(`kindHelp.${value}`) }))}
        {...field('security')}
      />
      {needsKey(values) && <PasswordField label={t('key')} help={t('keyHelp')} kept={isKept} {...field('key')} />}
      <CheckboxGroup
        label={t('bands')}
        options={bands.map(value => ({ value, label: t(`band.${value}`) }))}
        {...field('bands')}
      />
      <NumberField label={t('vlan')} optional help={t('vlanHelp')} {...field('vlan')} />
    </section>
  )
}
