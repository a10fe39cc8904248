'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import type { Logins } from '@/app/_shared/adoption/login-list'
import { SweepProgress } from '@/app/_shared/adoption/progress'
import { Button } from '@/app/_ui/button'
import { SwitchField } from '@/app/_ui/check'
import { TextField } from '@/app/_ui/field'
import { limits } from '@/model/limits'

type Sweep = CallOutput<'devices/discover/result'>

type ScanProps = { sweep: Sweep | undefined; stored: Logins['stored']; onChanged: () => void }

/** Where is searched, said before it begins; how far it is. */
export function Scan({ sweep, stored, onChanged }: ScanProps) {
  const t = useTranslations('adoption.scan')
  const segments = useNetworkCall('devices/discover/segments', {})
  const { errors, run } = useSubmit<'start' | 'stop'>()
  const [typed, setTyped] = useState<string>()
  const [community, setCommunity] = useState('')
  const [identify, setIdentify] = useState(false)
  const snmp = stored.filter(one => one.mayBring && one.type !== 'ssh').slice(0, limits.loginsInSweep)
  const where = typed ?? (segments.data?.result ?? []).map(one => one.cidr).join(', ')
  const start = async () => {
    const input = {
      ...(typed !== undefined && { segments: where.split(/[\s,]+/).filter(Boolean) }),
      ...(community && { communities: [community] }),
      ...(identify && snmp.length > 0 && { credentialIds: snmp.map(one => one.id) }),
    }
    if (await run('start', () => callApi('devices/discover', withNetwork(input)))) onChanged()
  }
  const stop = async () => {
    if (await run('stop', () => callApi('devices/discover/stop', withNetwork({})))) onChanged()
  }
  if (sweep?.state === 'running')
    return (
      <div className="scan">
        <SweepProgress sweep={sweep} onStop={() => void stop()} />
      </div>
    )
  return (
    <form
      className="scan"
      onSubmit={event => {
        event.preventDefault()
        void start()
      }}
    >
      <div className="grow">
        <TextField
          label={t('where')}
          help={t('whereHelp', { most: segments.data?.most ?? 0 })}
          dir="ltr"
          value={where}
          error={Object.values(errors)[0]}
          onChange={setTyped}
        />
      </div>
      <TextField
        label={t('community')}
        help={t('communityHelp')}
        optional
        autoComplete="off"
        value={community}
        onChange={setCommunity}
      />
      <Button type="submit" kind="primary" icon="search" disabled={where.trim() === ''}>
        {sweep && sweep.state !== 'none' ? t('searchAgain') : t('search')}
      </Button>
      {snmp.length > 0 && (
        <div style={{ flexBasis: '100%' }}>
          <SwitchField label={t('storedSnmp')} help={t('storedSnmpHelp')} checked={identify} onChange={setIdentify} />
        </div>
      )}
    </form>
  )
}
