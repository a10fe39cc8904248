'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { withNetwork } from '@/app/_api/use-call'
import { useFailureText } from '@/app/_api/words'
import { Fingerprints, type SeenKey } from '@/app/_shared/adoption/fingerprints'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { NumberField, TextField } from '@/app/_ui/field'
import { limits } from '@/model/limits'
import { GroupChoice, useGroupChoice } from './group-choice'
import { type Candidate, ItemRow } from './item-row'
import { LoginChoice, loginErrors, useLoginChoice } from './login-choice'
import { type Target, useAdoption } from './use-adoption'

/** Asks a device for its host key; what went wrong is said in its place. */
function useSeenKey() {
  const text = useFailureText()
  const reason = useReason()
  return async (address: string, port: number | undefined, name: string): Promise<SeenKey> => {
    const shown = { address, name: name || address }
    try {
      const seen = await callApi('devices/fingerprint', withNetwork({ address, port }), { quiet: true })
      return { ...shown, hostKey: seen.hostKey }
    } catch (error) {
      if (!(error instanceof ApiError)) return { ...shown, problem: '' }
      const why = String(error.data.reason ?? '')
      return { ...shown, problem: why ? reason(why).title : text(error) }
    }
  }
}

/** One device whose address a person knows. */
export function ByAddress() {
  const t = useTranslations('addDevices')
  const keyAt = useSeenKey()
  const login = useLoginChoice()
  const group = useGroupChoice()
  const adoption = useAdoption()
  const [address, setAddress] = useState('')
  const [port, setPort] = useState<number>()
  const [name, setName] = useState('')
  const [keys, setKeys] = useState<readonly SeenKey[]>()
  const [looking, setLooking] = useState(false)
  const target = (hostKey?: string): Target => ({
    address: address.trim(),
    ...(port !== undefined && { port }),
    ...(name.trim() && { name: name.trim() }),
    ...(hostKey && { hostKey }),
  })
  const send = (hostKey?: string) => adoption.adopt([target(hostKey)], { ...login.value, groupId: group.value })
  const begin = async () => {
    if (!login.ssh) return void (await send())
    setLooking(true)
    setKeys([await keyAt(address.trim(), port, name)])
    setLooking(false)
  }
  const errorOf = (field: string) => adoption.errors[`devices.0.${field}`]
  return (
    <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
      <form
        className="card form-section"
        onSubmit={event => {
          event.preventDefault()
          void begin()
        }}
      >
        <div className="two-columns">
          <TextField
            label={t('address')}
            help={t('addressHelp')}
            dir="ltr"
            value={address}
            error={errorOf('address')}
            onChange={setAddress}
          />
          <NumberField
            label={t('port')}
            help={t('portHelp')}
            optional
            value={port}
            error={errorOf('port')}
            onChange={setPort}
          />
        </div>
        <TextField
          label={t('name')}
          help={t('nameHelp')}
          optional
          value={name}
          error={errorOf('name')}
          maxLength={limits.deviceNameCharacters}
          onChange={setName}
        />
        <LoginChoice state={login} errors={loginErrors(adoption.errors)} />
        <GroupChoice state={group} />
        <Button
          type="submit"
          className="justify-self-start"
          kind="primary"
          busy={adoption.busy || looking}
          disabled={address.trim() === ''}
        >
          {t('adopt', { count: 1 })}
        </Button>
      </form>
      {adoption.items.length > 0 && (
        <Card title={t('progressTitle')}>
          {adoption.items.map(item => (
            <ItemRow
              key={item.address}
              one={candidateOf(item)}
              onRetry={hostKey => void (hostKey ? send(hostKey) : begin())}
            />
          ))}
        </Card>
      )}
      <Fingerprints
        keys={keys}
        onClose={() => setKeys(undefined)}
        onAccept={([key]) => {
          setKeys(undefined)
          void send(key?.hostKey)
        }}
      />
    </div>
  )
}

export const candidateOf = (item: NonNullable<Candidate['item']>): Candidate => ({
  address: item.address,
  name: item.name ?? item.address,
  about: item.address,
  offers: '',
  item,
})
