'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { type CallInput, callApi } from '@/app/_api/client'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button, LinkButton } from '@/app/_ui/button'
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
  const { networkName, country, timezone } = active.data
  return { networkName, country, timezone, tags: own.tags.map(tag => tag.tagId) }
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

function useSave(id: number | undefined) {
  const t = useTranslations('networks.form')
  const router = useRouter()
  const refresh = useRefresh()
  const { errors, busy, run } = useSubmit<'save'>()
  const save = (fields: Fields) =>
    run('save', async () => {
      if (id === undefined) await callApi('networks/add', fields)
      else await callApi('networks/edit', { id, ...fields })
      toast('ok', t(id === undefined ? 'created' : 'saved', { name: fields.networkName.trim() }))
      await refresh('networks/list', 'networks/options', 'networks/active')
      router.push(list)
    })
  return { save, errors, busy: busy !== undefined }
}

function Form({ id, start }: { id: number | undefined; start: Fields }) {
  const t = useTranslations('networks.form')
  const [fields, setFields] = useState(start)
  const [tagging, setTagging] = useState(false)
  const { save, errors, busy } = useSave(id)
  const tags = useCall('networks/tags/list', {})
  const countries = useCountries()
  const put = (change: Partial<Fields>) => setFields({ ...fields, ...change })
  const complete = fields.networkName.trim() !== '' && fields.country !== '' && fields.timezone !== ''
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (complete) void save(fields)
      }}
    >
      <div className="sec">
        <h2>{t('basic')}</h2>
        <p>{t('basicHelp')}</p>
        <TextField
          label={t('name')}
          help={t('nameHelp')}
          error={errors.networkName}
          value={fields.networkName}
          maxLength={limits.networkNameCharacters}
          autoComplete="off"
          required
          onChange={networkName => put({ networkName })}
        />
        <div className="two">
          <ComboField
            label={t('country')}
            error={errors.country}
            value={fields.country}
            options={countries}
            onChange={country => put({ country })}
          />
          <ZoneField
            label={t('timezone')}
            error={errors.timezone}
            value={fields.timezone}
            onChange={timezone => put({ timezone })}
          />
        </div>
        <MultiSelect
          label={t('tags')}
          help={t('tagsHelp')}
          error={errors.tags}
          optional
          value={(fields.tags ?? []).map(String)}
          options={(tags.data?.result ?? []).map(tag => ({ value: String(tag.tagId), label: tag.tagName }))}
          onChange={chosen => put({ tags: chosen.map(Number) })}
          onAdd={() => setTagging(true)}
          addLabel={t('manageTags')}
        />
      </div>
      <div className="sec form-end">
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
