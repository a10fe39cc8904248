'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Fingerprints } from '@/app/_shared/adoption/fingerprints'
import { OtherHosts, offersOf, takesLogin, useAboutFound } from '@/app/_shared/adoption/found'
import { LoginList } from '@/app/_shared/adoption/login-list'
import { AdoptionCourse } from '@/app/_shared/adoption/progress'
import { useKeyCheck } from '@/app/_shared/adoption/use-key-check'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/states'
import { GroupChoice, useGroupChoice } from './group-choice'
import { type Candidate, ItemRow } from './item-row'
import { loginErrors, useLoginChoice } from './login-choice'
import { Scan } from './scan'
import { type Item, type Target, useAdoption } from './use-adoption'

type Sweep = CallOutput<'devices/discover/result'>

/** What answered and can be logged in to, with how its adoption does. */
function useCandidates(found: Sweep['found'], items: readonly Item[]): Candidate[] {
  const about = useAboutFound()
  return found
    .filter(one => one.managed || takesLogin(one))
    .map(one => ({
      address: one.address,
      name: one.name ?? one.address,
      about: about(one),
      offers: offersOf(one),
      kind: one.likely,
      hostKey: one.ssh?.hostKey,
      managed: one.managed,
      item: items.find(item => item.address === one.address),
    }))
}

const isOpen = (one: Candidate) => !one.managed && one.item?.state !== 'adopted'

/** Looks for devices, shows what answered, and adopts what a person ticks. */
export function Discover() {
  const t = useTranslations('adoption')
  const call = useNetworkCall('devices/discover/result', {}, { live: true, refreshMs: 2000 })
  const [ticked, setTicked] = useState<readonly string[]>([])
  const logins = useLoginChoice()
  const group = useGroupChoice()
  const adoption = useAdoption()
  const found = call.data?.found ?? []
  const candidates = useCandidates(found, adoption.items)
  const chosen = candidates.filter(one => ticked.includes(one.address) && isOpen(one))
  const send = (devices: Target[]) => adoption.adopt(devices, { logins: logins.value, ...group.input })
  const check = useKeyCheck<Candidate>({
    logins,
    keyOf: ({ address, name, hostKey }) => ({ address, name, hostKey, problem: hostKey ? undefined : t('scan.noSsh') }),
    send,
  })
  return (
    <div className="stack">
      <Card>
        <Scan sweep={call.data} stored={logins.stored} onChanged={() => void call.mutate()} />
        <AdoptionCourse items={adoption.items} onCancel={() => void adoption.cancel()} />
        {candidates.map(one => (
          <ItemRow
            key={one.address}
            one={one}
            ticked={ticked.includes(one.address)}
            onTick={on => setTicked(on ? [...ticked, one.address] : ticked.filter(other => other !== one.address))}
            onRetry={hostKey => void (hostKey ? send([{ address: one.address, hostKey }]) : check.begin([one]))}
          />
        ))}
        <OtherHosts hosts={found.filter(one => !one.managed && !takesLogin(one))} />
        {found.length === 0 && call.data && <NothingFound state={call.data.state} />}
      </Card>
      {candidates.some(isOpen) && (
        <section className="card form-section" style={{ maxInlineSize: 'var(--form-max)' }}>
          <h2>{t('login.title')}</h2>
          <p>{t('login.help')}</p>
          <LoginList logins={logins} errors={loginErrors(adoption.errors)} />
          <GroupChoice state={group} />
          <Button
            className="justify-self-start"
            kind="primary"
            busy={adoption.busy}
            disabled={chosen.length === 0}
            onClick={() => void check.begin(chosen)}
          >
            {t('adopt', { count: chosen.length })}
          </Button>
        </section>
      )}
      <Fingerprints check={check} />
    </div>
  )
}

function NothingFound({ state }: { state: Sweep['state'] }) {
  const t = useTranslations('adoption.scan')
  if (state === 'running') return null
  if (state === 'none') return <EmptyState slim icon="search" title={t('notSearched')} />
  return (
    <EmptyState slim icon="search" title={t('nothing')}>
      {t('nothingMore')}
    </EmptyState>
  )
}
