'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { SwitchField } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { NumberField, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import { type Place, placesOf, type Service, services, usualPorts } from '@/model/notify/services'
import { PlaceField } from './target-place'
import { type Target, type Targets, useReason } from './target-words'

type Input = CallInput<'alerts/targets/save'>
type Tested = CallOutput<'alerts/targets/test'>

/** What the form holds; a secret that is stored and stays is empty. */
type Values = Record<Place, string> & {
  name: string
  enabled: boolean
  service: Service
  level: string
  late: boolean
  afterMinutes: number | undefined
  allNetworks: boolean
  networks: string[]
}

const levels = ['5', '10', '15'] as const
const isSet = (value: unknown) => typeof value === 'object' && value !== null
const lines = (text: string) => text.split('\n').flatMap(line => line.trim() || [])
const blank = {
  ...{ to: '', url: '', server: '', token: '', room: '', chat: '', topic: '', host: '', port: '', community: '' },
  ...{ protocol: 'udp', name: '', enabled: true, service: 'mail' as Service, level: '15' },
  ...{ late: false, afterMinutes: 15 },
}

function valuesOf(row: Target | undefined): Values {
  const stored = Object.entries(row?.values ?? {}).map(([key, value]) => {
    if (typeof value === 'boolean' || key === 'afterMinutes') return [key, value] as const
    if (Array.isArray(value)) return [key, value.join('\n')] as const
    return [key, isSet(value) ? '' : String(value)] as const
  })
  const networks = (row?.networks ?? []).map(String)
  const late = row?.values?.afterMinutes !== undefined
  return { ...blank, ...Object.fromEntries(stored), late, allNetworks: !row?.networks, networks }
}

/** As the call takes it: of its service alone, nothing that is empty, a kept secret as {set: true}. */
function inputOf(row: Target | undefined, values: Values): Input {
  const { name, enabled, service, level, late, afterMinutes } = values
  const places = placesOf(service).flatMap((place): [string, unknown][] => {
    const text = values[place].trim()
    if (text === '') return isSet(row?.values?.[place]) ? [[place, { set: true }]] : []
    if (place === 'to') return [[place, lines(text)]]
    return [[place, place === 'port' ? Number(text) : text]]
  })
  const networks = values.allNetworks ? null : values.networks.map(Number)
  const id = row && { id: row.id }
  return {
    ...id,
    fields: { name, enabled, service, level, ...(late && { afterMinutes }), ...Object.fromEntries(places) },
    networks,
  }
}

/** Of a list also an entry's, which the error then names by its place in it. */
const errorAt = (place: Place, wrong: Errors) =>
  wrong[place] ?? Object.entries(wrong).find(([key]) => key.startsWith(`${place}.`))?.[1]

type Props = { row: Target | undefined; offered: Targets['offered']; onClose: () => void }

/** Makes a target of notices, or changes one: which service, where there, of what. */
export function TargetForm({ row, offered, onClose }: Props) {
  const t = useTranslations('alerts.targets')
  const { values, put, field } = useFields(valuesOf(row))
  const { service } = values
  const save = async () => {
    await callApi('alerts/targets/save', inputOf(row, values))
    toast('ok', t('saved', { name: values.name.trim() }))
  }
  const choose = (next: string) => {
    const port = usualPorts[next as Service]
    put({ service: next as Service, ...(port !== undefined && { port: String(port) }) })
  }
  return (
    <ConfirmDialog
      open
      title={row ? t('editTitle', { name: row.name }) : t('makeTitle')}
      action={t('save')}
      onClose={onClose}
      onConfirm={save}
    >
      {errors => (
        <TestFrame row={row} values={values} refused={errors}>
          {wrong => (
            <>
              <TextField
                label={t('name')}
                maxLength={limits.apiKeyNameCharacters}
                autoComplete="off"
                {...field('name', wrong)}
              />
              <SelectField
                label={t('service')}
                value={service}
                options={services.map(one => ({ value: one, label: t(`services.${one}`) }))}
                onChange={choose}
                error={wrong.service}
              />
              {placesOf(service).map(place => (
                <PlaceField
                  key={`${service} ${place}`}
                  {...{ service, place }}
                  kept={isSet(row?.values?.[place])}
                  {...field(place, wrong)}
                  error={errorAt(place, wrong)}
                />
              ))}
              <SelectField
                label={t('level')}
                value={values.level}
                options={levels.map(one => ({ value: one, label: t(`levels.${one}`) }))}
                onChange={level => put({ level })}
              />
              <SelectField
                label={t('when')}
                value={values.late ? 'late' : 'atOnce'}
                options={(['atOnce', 'late'] as const).map(one => ({ value: one, label: t(`whens.${one}`) }))}
                onChange={when => put({ late: when === 'late' })}
              />
              {values.late && (
                <NumberField label={t('afterMinutes')} help={t('afterMinutesHelp')} {...field('afterMinutes', wrong)} />
              )}
              <SwitchField
                label={t('allNetworks')}
                checked={values.allNetworks}
                onChange={allNetworks => put({ allNetworks })}
              />
              {!values.allNetworks && (
                <MultiSelect
                  label={t('networks')}
                  options={offered.map(one => ({ value: String(one.id), label: one.name }))}
                  {...field('networks', wrong)}
                />
              )}
              <SwitchField label={t('enabled')} checked={values.enabled} onChange={enabled => put({ enabled })} />
            </>
          )}
        </TestFrame>
      )}
    </ConfirmDialog>
  )
}

type Errors = Readonly<Record<string, string>>
type FrameProps = {
  row: Target | undefined
  values: Values
  refused: Errors
  children: (errors: Errors) => React.ReactNode
}

/** The fields, and below them a test by what stands there: whether it arrived, or what the service said. */
function TestFrame({ row, values, refused, children }: FrameProps) {
  const t = useTranslations('alerts.targets')
  const reason = useReason()
  const { errors, busy, run } = useSubmit<'test'>()
  const [told, setTold] = useState<{ of: string; answer: Tested }>()
  const of = JSON.stringify(values)
  const test = () =>
    run('test', async () => {
      setTold(undefined)
      setTold({ of, answer: await callApi('alerts/targets/test', inputOf(row, values)) })
    })
  // What was tested is told while it still stands there.
  const shown = told?.of === of ? told.answer : undefined
  return (
    <>
      {children({ ...errors, ...refused })}
      <div className="stack">
        <p>
          <Button busy={busy === 'test'} onClick={() => void test()}>
            {t('test')}
          </Button>
        </p>
        {shown?.error === '' && <Note tone="ok" title={t(shown.confirmed ? 'tested' : 'testSent')} alert />}
        {shown && shown.error !== '' && (
          <Note tone="bad" title={t('testFailed')} alert>
            {reason(shown)} {shown.seconds !== null && t('again', { seconds: shown.seconds })}
          </Note>
        )}
      </div>
    </>
  )
}
