import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { CheckboxGroup, SwitchField } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import type { Hook, Scope } from './hook-rows'

type Props = {
  scope: Scope
  /** Without one a new one is made. */
  row: Hook | undefined
  onClose: () => void
  onMade: (name: string, secret: string) => void
}

const levels = [5, 10, 15] as const
const start = { name: '', url: '', topics: [], level: 15, allNetworks: true, networks: [] } as const
type Values = Pick<Hook, 'name' | 'url' | 'level' | 'allNetworks'> & { topics: string[]; networks: string[] }

const valuesOf = (row: Hook | undefined): Values => ({
  ...(row ?? start),
  topics: [...(row?.topics ?? [])],
  networks: (row?.networks ?? []).map(network => String(network.id)),
})

/** Makes a webhook, or changes one: where to, what it is told of, and of which networks. */
export function HookForm({ scope, row, onClose, onMade }: Props) {
  const t = useTranslations('webhooks')
  const { values, put } = useFields(valuesOf(row))
  const { name, url, topics, level, allNetworks, networks } = values
  const complete = name.trim() !== '' && url.trim() !== '' && topics.length > 0 && (allNetworks || networks.length > 0)
  const save = async () => {
    const { secret } = await callApi('webhooks/save', {
      ...{ id: row?.id, name, url: url.trim(), level, allNetworks },
      topics: scope.topics.filter(topic => topics.includes(topic)),
      networks: allNetworks ? [] : networks.map(Number),
    })
    if (secret === undefined) return toast('ok', t('saved', { name }))
    onMade(name.trim(), secret)
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      title={row ? t('editTitle', { name: row.name }) : t('makeTitle')}
      action={t(row ? 'save' : 'make')}
      disabled={!complete}
      onClose={onClose}
      onConfirm={save}
    >
      {errors => (
        <>
          <TextField
            label={t('name')}
            help={t('nameHelp')}
            error={errors.name}
            value={name}
            maxLength={limits.apiKeyNameCharacters}
            autoComplete="off"
            onChange={next => put({ name: next })}
          />
          <TextField
            label={t('url')}
            help={t('urlHelp')}
            error={errors.url}
            value={url}
            inputMode="url"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            onChange={next => put({ url: next })}
          />
          <CheckboxGroup
            label={t('topics')}
            error={errors.topics}
            value={topics}
            options={scope.topics.map(topic => ({ value: topic, label: t(`topic.${topic}`) }))}
            onChange={next => put({ topics: next })}
          />
          {topics.includes('alerts') && (
            <SelectField
              label={t('level')}
              value={String(level)}
              options={levels.map(one => ({ value: String(one), label: t(`levels.${one}`) }))}
              onChange={next => put({ level: Number(next) as Values['level'] })}
            />
          )}
          <SwitchField
            label={t('allNetworks')}
            help={t('allNetworksHelp')}
            checked={allNetworks}
            onChange={next => put({ allNetworks: next })}
          />
          {!allNetworks && (
            <MultiSelect
              label={t('networks')}
              error={errors.networks}
              value={networks}
              options={scope.networks.map(network => ({ value: String(network.id), label: network.name }))}
              onChange={next => put({ networks: next })}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
