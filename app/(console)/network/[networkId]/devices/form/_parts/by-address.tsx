'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Fingerprints } from '@/app/_shared/adoption/fingerprints'
import { LoginList } from '@/app/_shared/adoption/login-list'
import { useKeyCheck, useSeenKey } from '@/app/_shared/adoption/use-key-check'
import { Button } from '@/app/_ui/button'
import { NumberField, TextField } from '@/app/_ui/field'
import { limits } from '@/model/limits'
import { AdoptionItems } from './adoption-items'
import { GroupChoice, useGroupChoice } from './group-choice'
import { loginErrors, useLoginChoice } from './login-choice'
import { type Target, useAdoption } from './use-adoption'

type Values = { address: string; port: number | undefined; name: string }
const nothing: Values = { address: '', port: undefined, name: '' }

const targetOf = ({ address, port, name }: Values, hostKey?: string): Target => ({
  address: address.trim(),
  ...(port !== undefined && { port }),
  ...(name.trim() && { name: name.trim() }),
  ...(hostKey && { hostKey }),
})

/** Sends what is typed, after its host key was shown. `looking`: the device is asked for it. */
function useOneDevice(values: Values) {
  const seenKey = useSeenKey()
  const logins = useLoginChoice()
  const group = useGroupChoice()
  const adoption = useAdoption()
  const [looking, setLooking] = useState(false)
  const send = (hostKey?: string) =>
    adoption.adopt([targetOf(values, hostKey)], { logins: logins.value, ...group.input })
  const check = useKeyCheck<Target>({
    logins,
    keyOf: ({ address, name }) => {
      const port = logins.firstSsh ? values.port : undefined
      const ask = () => callApi('devices/fingerprint', withNetwork({ address, port }), { quiet: true })
      return seenKey({ address, name: name ?? address }, ask)
    },
    send: ([device]) => send(device?.hostKey),
  })
  const begin = async () => {
    setLooking(true)
    await check.begin([targetOf(values)])
    setLooking(false)
  }
  return { logins, group, adoption, check, begin, send, looking }
}

/** One device whose address a person knows. */
export function ByAddress() {
  const t = useTranslations('adoption')
  const { values, field, changed } = useFields(nothing)
  const { logins, group, adoption, check, begin, send, looking } = useOneDevice(values)
  const begun = adoption.items.some(item => item.address === values.address.trim())
  const errors = Object.fromEntries(
    Object.entries(adoption.errors).map(([name, text]) => [name.replace(/^devices\.0\./, ''), text]),
  )
  return (
    <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
      <form
        className="card form-section"
        onSubmit={event => {
          event.preventDefault()
          void begin()
        }}
      >
        <LeaveGuard on={changed && !begun} busy={adoption.busy || looking} />
        <div className="two-columns">
          <TextField
            label={t('byAddress.address')}
            help={t('byAddress.addressHelp')}
            dir="ltr"
            {...field('address', errors)}
          />
          <NumberField label={t('byAddress.port')} help={t('byAddress.portHelp')} optional {...field('port', errors)} />
        </div>
        <TextField
          label={t('byAddress.name')}
          help={t('byAddress.nameHelp')}
          optional
          maxLength={limits.deviceNameCharacters}
          {...field('name', errors)}
        />
        <LoginList logins={logins} errors={loginErrors(adoption.errors)} />
        <GroupChoice state={group} />
        <Button
          type="submit"
          className="justify-self-start"
          kind="primary"
          busy={adoption.busy || looking}
          disabled={values.address.trim() === ''}
        >
          {t('adopt', { count: 1 })}
        </Button>
      </form>
      <AdoptionItems adoption={adoption} onRetry={hostKey => void (hostKey ? send(hostKey) : begin())} />
      <Fingerprints check={check} />
    </div>
  )
}
