'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Below, NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { keyPresets } from '@/model/authority-presets'
import { limits } from '@/model/limits'
import { FeatureTree } from '../../_parts/feature-tree'
import type { Scope } from './key-rows'
import { isChosen, NetworksChoice, networksOf } from './networks-choice'

type Props = { scope: Scope; onClose: () => void; onMade: (name: string, key: string) => void }

type Values = {
  name: string
  held: readonly string[]
  allNetworks: boolean
  networks: string[]
  days: number | undefined
  password: string
}
const start: Values = { name: '', held: [], allNetworks: true, networks: [], days: 90, password: '' }

/** Makes a key: what for, what it may do, where, and until when. */
export function KeyForm({ scope, onClose, onMade }: Props) {
  const t = useTranslations('api.keys')
  const { values, put, field } = useFields(start)
  const { name, held, days, password } = values
  const complete = name.trim() !== '' && held.length > 0 && isChosen(values) && (!scope.password || password !== '')
  const make = async () => {
    const { key } = await callApi('developer-api/keys/create', {
      name,
      authorities: [...held],
      ...networksOf(values),
      ...(days !== undefined && { days }),
      ...(scope.password && { password }),
    })
    onMade(name.trim(), key)
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      title={t('makeTitle')}
      action={t('make')}
      disabled={!complete}
      onClose={onClose}
      onConfirm={make}
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
          <div className="field">
            <span className="label">{t('rights')}</span>
            <FeatureTree areas={scope.areas} held={held} onChange={next => put({ held: next })} presets={keyPresets} />
            <Below help={t('rightsHelp')} error={errors.authorities} />
          </div>
          <NetworksChoice
            words="api.keys"
            offered={scope.networks}
            value={values}
            onChange={put}
            error={errors.networks}
          />
          <NumberField label={t('days')} help={t('daysHelp')} optional {...field('days', errors)} />
          {scope.password && (
            <PasswordField
              label={t('password')}
              help={t('passwordHelp')}
              autoComplete="current-password"
              {...field('password', errors)}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
