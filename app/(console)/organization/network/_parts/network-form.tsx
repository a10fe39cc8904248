'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { type CallInput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button, LinkButton } from '@/app/_ui/button'
import { SwitchField } from '@/app/_ui/check'
import { ComboField, MultiSelect } from '@/app/_ui/combo-field'
import { TextField } from '@/app/_ui/field'
import { PageHead } from '@/app/_ui/page-head'
import { SkeletonLines } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { ZoneField } from '@/app/_ui/zone-field'
import { limits } from '@/model/limits'
import { useCountries } from './places'
import { TagsDialog } from './tags-dialog'

const list = '/organization/network'
type Fields = CallInput<'networks/add'>

/** What the form begins with: the network's own values, else where the manager is. */
function useStart(id: number | undefined): Fields | undefined {
  const router = useRouter()
  const t = useTranslations('networks.form')
  const active = useCall('networks/active', id === undefined ? null : { networkId: id })
  const options = useCall('networks/options', {})
  const own = options.data?.result.find(option => option.value === id)
  // One that another company shares is not this one's to change.
  const gone = active.error !== undefined || (own !== undefined && own.access !== 'own')
  useEffect(() => {
    if (!gone) return
    toast('bad', t('gone'))
    router.replace(list)
  }, [gone, router, t])
  if (id === undefined) return options.data && { networkName: '', ...options.data.newNetwork, tags: [] }
  if (!active.data || !own) return undefined
  const { networkName, country, timezone, administrators } = active.data
  const tags = own.tags.map(tag => tag.tagId)
  return { networkName, country, timezone, tags, isDefault: own.isDefault, ...(administrators && { administrators }) }
}

/** Creates a network, or with `id` changes one. */
export function NetworkForm({ id }: { id: number | undefined }) {
  const t = useTranslations('networks.form')
  const start = useStart(id)
  return (
    <>
      <PageHead title={id === undefined ? t('create') : t('edit')} />
      <section className="card" style={{ maxInlineSize: 'var(--form-max)' }}>
        {start ? <Form id={id} start={start} /> : <SkeletonLines lines={5} />}
      </section>
    </>
  )
}

const namesOf = (left: readonly { name: string }[]) => left.map(one => one.name).join(', ')

function useSave(id: number | undefined) {
  const t = useTranslations('networks.form')
  const router = useRouter()
  const { errors, busy, run } = useSubmit<'save'>()
  const save = (fields: Fields) =>
    run('save', async () => {
      const { cloneFrom: _none, ...rest } = fields
      const made = id === undefined ? await callApi('networks/add', fields) : undefined
      if (id !== undefined) await callApi('networks/edit', { id, ...rest })
      const name = fields.networkName.trim()
      const left = made?.leftOut ?? []
      if (left.length === 0) toast('ok', t(made ? 'created' : 'saved', { name }))
      else toast('warn', t('created', { name }), { detail: t('leftOut', { count: left.length, names: namesOf(left) }) })
      router.push(list)
    })
  return { save, errors, busy: busy !== undefined }
}

type PartProps<V> = { value: V | undefined; error: string | undefined; onChange: (fields: Partial<Fields>) => void }

/** Who works here beside those who enter every network; for those who may change people. */
function Administrators({ value, error, onChange }: PartProps<number[]>) {
  const t = useTranslations('networks.form')
  const may = useMay('organization_users_edit')
  const people = useCall('users/list', may ? { pageSize: 200 } : null)
  if (!may) return null
  const options = (people.data?.result ?? [])
    .filter(one => !one.allNetworks && one.why === '')
    .map(one => ({ value: String(one.id), label: one.username, help: one.account }))
  return (
    <MultiSelect
      label={t('administrators')}
      help={t('administratorsHelp')}
      error={error}
      optional
      value={(value ?? []).map(String)}
      options={options}
      onChange={chosen => onChange({ administrators: chosen.map(Number) })}
    />
  )
}

function CloneSource({ value, error, onChange }: PartProps<number>) {
  const t = useTranslations('networks.form')
  const networks = useCall('networks/options', {})
  const own = (networks.data?.result ?? []).filter(one => one.access === 'own')
  return (
    <ComboField
      label={t('cloneFrom')}
      help={t('cloneFromHelp')}
      error={error}
      value={value === undefined ? '' : String(value)}
      options={[
        { value: '', label: t('cloneNone') },
        ...own.map(one => ({ value: String(one.value), label: one.label })),
      ]}
      onChange={chosen => onChange({ cloneFrom: chosen === '' ? undefined : Number(chosen) })}
    />
  )
}

function Form({ id, start }: { id: number | undefined; start: Fields }) {
  const t = useTranslations('networks.form')
  const { values: fields, put, field, changed } = useFields(start)
  const [tagging, setTagging] = useState(false)
  const { save, errors, busy } = useSave(id)
  const tags = useCall('networks/tags/list', {})
  const countries = useCountries()
  const complete = fields.networkName.trim() !== '' && fields.country !== '' && fields.timezone !== ''
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (complete) void save(fields)
      }}
    >
      <LeaveGuard on={changed} busy={busy} />
      <div className="form-section">
        <h2>{t('basic')}</h2>
        <p>{t('basicHelp')}</p>
        <TextField
          label={t('name')}
          help={t('nameHelp')}
          {...field('networkName', errors)}
          maxLength={limits.networkNameCharacters}
          autoComplete="off"
          required
        />
        <div className="two-columns">
          <ComboField label={t('country')} help={t('countryHelp')} {...field('country', errors)} options={countries} />
          <ZoneField label={t('timezone')} {...field('timezone', errors)} />
        </div>
        <MultiSelect
          label={t('tags')}
          help={t('tagsHelp')}
          error={errors.tags}
          optional
          value={(fields.tags ?? []).map(String)}
          options={(tags.data?.result ?? []).map(tag => ({ value: String(tag.tagId), label: tag.tagName }))}
          onChange={chosen => put({ tags: chosen.map(Number) })}
          add={{ label: t('manageTags'), onAdd: () => setTagging(true) }}
        />
        <Administrators value={fields.administrators} error={errors.administrators} onChange={put} />
        {id === undefined && <CloneSource value={fields.cloneFrom} error={errors.cloneFrom} onChange={put} />}
        <SwitchField
          label={t('default')}
          help={t('defaultHelp')}
          checked={fields.isDefault ?? false}
          disabled={start.isDefault}
          onChange={isDefault => put({ isDefault })}
        />
      </div>
      <div className="form-section form-end">
        <LinkButton href={list}>{t('cancel')}</LinkButton>
        <Button type="submit" kind="primary" busy={busy} disabled={!complete}>
          {id === undefined ? t('createNow') : t('save')}
        </Button>
      </div>
      <TagsDialog
        open={tagging}
        onClose={() => setTagging(false)}
        onAdded={tagId => put({ tags: [...(fields.tags ?? []), tagId] })}
        onDeleted={tagId => put({ tags: (fields.tags ?? []).filter(one => one !== tagId) })}
      />
    </form>
  )
}
