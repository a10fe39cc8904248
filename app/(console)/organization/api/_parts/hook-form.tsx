import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { CheckboxGroup } from '@/app/_ui/check'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import type { Hook, Scope } from './hook-rows'
import { isChosen, NetworksChoice, networksOf } from './networks-choice'

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
  const { values, put, field } = useFields(valuesOf(row))
  const { name, url, topics, level } = values
  const complete = name.trim() !== '' && url.trim() !== '' && topics.length > 0 && isChosen(values)
  const save = async () => {
    const { secret } = await callApi('webhooks/save', {
      id: row?.id,
      name,
      url: url.trim(),
      level,
      topics: scope.topics.filter(topic => topics.includes(topic)),
      ...networksOf(values),
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
            maxLength={limits.apiKeyNameCharacters}
            autoComplete="off"
            {...field('name', errors)}
          />
          <TextField
            label={t('url')}
            help={t('urlHelp')}
            inputMode="url"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            {...field('url', errors)}
          />
          <CheckboxGroup
            label={t('topics')}
            options={scope.topics.map(topic => ({ value: topic, label: t(`topic.${topic}`) }))}
            {...field('topics', errors)}
          />
          {topics.includes('alerts') && (
            <SelectField
              label={t('level')}
              value={String(level)}
              options={levels.map(one => ({ value: String(one), label: t(`levels.${one}`) }))}
              onChange={next => put({ level: Number(next) as Values['level'] })}
            />
          )}
          <NetworksChoice
            words="webhooks"
            offered={scope.networks}
            value={values}
            onChange={put}
            error={errors.networks}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
