'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { SwitchField } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Below, NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { limits } from '@/model/limits'
import { FeatureTree } from '../../_parts/feature-tree'
import type { Scope } from './key-rows'

type Props = { scope: Scope; onClose: () => void; onMade: (name: string, key: string) => void }

const startDays = 90

/** Makes a key: what for, what it may do, where, and until when. */
export function KeyForm({ scope, onClose, onMade }: Props) {
  const t = useTranslations('api.keys')
  const [name, setName] = useState('')
  const [held, setHeld] = useState<readonly string[]>([])
  const [allNetworks, setAllNetworks] = useState(true)
  const [networks, setNetworks] = useState<string[]>([])
  const [days, setDays] = useState<number | undefined>(startDays)
  const [password, setPassword] = useState('')
  const complete =
    name.trim() !== '' &&
    held.length > 0 &&
    (allNetworks || networks.length > 0) &&
    (!scope.password || password !== '')
  const make = async () => {
    const { key } = await callApi('developer-api/keys/create', {
      ...{ name, authorities: [...held], allNetworks },
      networks: allNetworks ? [] : networks.map(Number),
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
            error={errors.name}
            value={name}
            maxLength={limits.apiKeyNameCharacters}
            autoComplete="off"
            onChange={setName}
          />
          <div className="field">
            <span className="label">{t('rights')}</span>
            <FeatureTree areas={scope.areas} held={held} onChange={setHeld} />
            <Below help={t('rightsHelp')} error={errors.authorities} />
          </div>
          <SwitchField
            label={t('allNetworks')}
            help={t('allNetworksHelp')}
            checked={allNetworks}
            onChange={setAllNetworks}
          />
          {!allNetworks && (
            <MultiSelect
              label={t('networks')}
              error={errors.networks}
              value={networks}
              options={scope.networks.map(network => ({ value: String(network.id), label: network.name }))}
              onChange={setNetworks}
            />
          )}
          <NumberField
            label={t('days')}
            help={t('daysHelp')}
            optional
            error={errors.days}
            value={days}
            onChange={setDays}
          />
          {scope.password && (
            <PasswordField
              label={t('password')}
              help={t('passwordHelp')}
              error={errors.password}
              value={password}
              autoComplete="current-password"
              onChange={setPassword}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
