'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi, isCancelled } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFieldErrors } from '@/app/_api/words'
import { Fingerprints, type SeenKey } from '@/app/_shared/adoption/fingerprints'
import { SweepProgress } from '@/app/_shared/adoption/progress'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { TextField } from '@/app/_ui/field'
import { EmptyState } from '@/app/_ui/states'
import { GroupChoice, useGroupChoice } from './group-choice'
import { type Candidate, ItemRow } from './item-row'
import { LoginChoice, loginErrors, useLoginChoice } from './login-choice'
import { useAdoption } from './use-adoption'

type Sweep = CallOutput<'devices/discover/result'>
type Found = Sweep['found'][number]

const offersOf = ({ ssh, snmp }: Found) =>
  [ssh && !ssh.reason && 'SSH', snmp && `SNMP ${snmp.versions.join(', ')}`].filter(Boolean).join(', ')

const aboutOf = (found: Found) =>
  [found.name && found.name !== found.address && found.address, found.mac?.toUpperCase(), found.description]
    .filter(Boolean)
    .join(' · ')

/** Looks for devices, shows what answered, and adopts what a person ticks. */
export function Discover() {
  const t = useTranslations('addDevices')
  const call = useNetworkCall('devices/discover/result', {}, { live: true, refreshMs: 2000 })
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [keys, setKeys] = useState<readonly SeenKey[]>()
  const login = useLoginChoice()
  const group = useGroupChoice()
  const adoption = useAdoption()
  const candidates = (call.data?.found ?? []).map(
    (found): Candidate => ({
      address: found.address,
      name: found.name ?? found.address,
      about: aboutOf(found),
      offers: offersOf(found),
      hostKey: found.ssh?.hostKey,
      managed: found.managed,
      item: adoption.items.find(item => item.address === found.address),
    }),
  )
  const isOpen = (one: Candidate) => !one.managed && one.item?.state !== 'adopted'
  const chosen = candidates.filter(one => ticked.includes(one.address) && isOpen(one))
  const send = (devices: { address: string; hostKey?: string }[]) =>
    adoption.adopt(devices, { ...login.value, groupId: group.value })
  /** Host keys are shown before anything secret goes to their devices. */
  const begin = async (devices: readonly Candidate[]) => {
    if (!login.ssh) return void (await send(devices.map(({ address }) => ({ address }))))
    setKeys(
      devices.map(({ address, name, hostKey }) => ({
        address,
        name,
        hostKey,
        problem: hostKey ? undefined : t('noSsh'),
      })),
    )
  }
  return (
    <div className="stack">
      <Card>
        <Scan sweep={call.data} onChanged={() => void call.mutate()} />
        {candidates.map(one => (
          <ItemRow
            key={one.address}
            one={one}
            ticked={ticked.includes(one.address)}
            onTick={on => setTicked(on ? [...ticked, one.address] : ticked.filter(other => other !== one.address))}
            onRetry={hostKey => void (hostKey ? send([{ address: one.address, hostKey }]) : begin([one]))}
          />
        ))}
        {candidates.length === 0 && call.data && call.data.state !== 'running' && (
          <EmptyState slim icon="search" title={call.data.state === 'none' ? t('notSearched') : t('nothing')}>
            {call.data.state !== 'none' && t('nothingMore')}
          </EmptyState>
        )}
      </Card>
      {candidates.some(isOpen) && (
        <section className="card form-section" style={{ maxInlineSize: 'var(--form-max)' }}>
          <h2>{t('login.title')}</h2>
          <p>{t('login.help')}</p>
          <LoginChoice state={login} errors={loginErrors(adoption.errors)} />
          <GroupChoice state={group} />
          <Button
            className="justify-self-start"
            kind="primary"
            busy={adoption.busy}
            disabled={chosen.length === 0}
            onClick={() => void begin(chosen)}
          >
            {t('adopt', { count: chosen.length })}
          </Button>
        </section>
      )}
      <Fingerprints
        keys={keys}
        onClose={() => setKeys(undefined)}
        onAccept={seen => {
          setKeys(undefined)
          void send(seen.map(({ address, hostKey }) => ({ address, hostKey })))
        }}
      />
    </div>
  )
}

/** Where is searched, said before it begins; how far it is. */
function Scan({ sweep, onChanged }: { sweep: Sweep | undefined; onChanged: () => void }) {
  const t = useTranslations('addDevices')
  const errorsOf = useFieldErrors()
  const segments = useNetworkCall('devices/discover/segments', {})
  const [typed, setTyped] = useState<string>()
  const [community, setCommunity] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const where = typed ?? (segments.data?.result ?? []).map(one => one.cidr).join(', ')
  const run = (work: () => Promise<unknown>) =>
    work().then(
      () => {
        setErrors({})
        onChanged()
      },
      (error: unknown) => {
        if (!isCancelled(error)) setErrors(errorsOf(error))
      },
    )
  const start = () =>
    run(() =>
      callApi(
        'devices/discover',
        withNetwork({
          ...(typed !== undefined && { segments: where.split(/[\s,]+/).filter(Boolean) }),
          ...(community && { communities: [community] }),
        }),
      ),
    )
  if (sweep?.state === 'running')
    return (
      <div className="scan">
        <SweepProgress sweep={sweep} onStop={() => void run(() => callApi('devices/discover/stop', withNetwork({})))} />
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
    </form>
  )
}
