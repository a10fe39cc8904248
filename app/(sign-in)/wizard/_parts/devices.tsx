'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { Fingerprints } from '@/app/_shared/adoption/fingerprints'
import { OtherHosts } from '@/app/_shared/adoption/found'
import { LoginList, useLogins } from '@/app/_shared/adoption/login-list'
import { AdoptionCourse } from '@/app/_shared/adoption/progress'
import { Button } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import { EmptyState } from '@/app/_ui/states'
import { limits } from '@/model/limits'
import { type Candidate, DeviceRow, isPossible } from './device-row'
import { Scan } from './scan'
import { StepFrame } from './step-frame'
import { useAdoption, useSweep } from './use-adoption'
import { useStep } from './use-step'
import type { Draft, StepProps } from './wizard-data'

/** Nothing is stored before there is a network. */
const noStored: readonly never[] = []

type Props = StepProps & { onDraft: (draft: Draft) => void }

export function DevicesStep({ draft, onSaved, onBack, onDraft }: Props) {
  const t = useTranslations('wizard.devices')
  const { busy, errors, failure, run } = useStep(credentialNames)
  const { sweep, busy: going, candidates, refresh } = useSweep(draft, onDraft)
  const logins = useLogins(noStored)
  const adoption = useAdoption(logins, refresh, run)
  const choice = useChoice(candidates)
  const { chosen } = choice
  const adoptedAny = draft.devices.length > 0
  const drop = async (address: string) => {
    await run(() => callApi('wizard/drop', { address }, { quiet: true }))
    onDraft({ ...draft, devices: draft.devices.filter(one => one.address !== address) })
    choice.tick(address, false)
    await refresh()
  }
  const skip = async () => {
    const saved = await run(() => callApi('wizard/skip', { step: 'devices' }, { quiet: true }))
    if (saved) onSaved(saved)
  }
  const proceed = () => {
    if (adoptedAny) return onSaved(draft)
    if (chosen.length > 0) void adoption.check.begin(chosen)
  }
  return (
    <StepFrame
      title={t('title')}
      intro={t('intro')}
      onSubmit={proceed}
      onBack={onBack}
      onSkip={adoptedAny ? undefined : skip}
      hint={t('later')}
      disabled={!adoptedAny && chosen.length === 0}
      action={adoptedAny ? t('continueWith', { count: draft.devices.length }) : undefined}
    >
      <div className="stack">
        {failure && <Note tone="bad" alert title={failure} />}
        <section className="card">
          <Scan sweep={sweep} untouched={!adoptedAny} refresh={refresh} onAdd={choice.add} />
          <AdoptionCourse items={sweep?.adoption ?? []} onCancel={adoption.cancel} />
          <Found choice={choice} adoption={adoption} isDone={sweep?.state === 'done'} onDrop={drop} />
        </section>
        {choice.all.some(one => !one.adopted) && (
          <section className="card form-section">
            <h2>{t('login')}</h2>
            <p>{t('loginMore')}</p>
            <LoginList logins={logins} errors={errors} />
            <Button
              className="justify-self-start"
              kind={adoptedAny ? 'plain' : 'primary'}
              busy={busy}
              disabled={chosen.length === 0 || (going && sweep?.state !== 'running')}
              onClick={() => void adoption.check.begin(chosen)}
            >
              {t('adopt', { count: chosen.length })}
            </Button>
          </section>
        )}
      </div>
      <Fingerprints check={adoption.check} />
    </StepFrame>
  )
}

/** What was found and what was added by hand, and which of it is ticked. */
function useChoice(candidates: readonly Candidate[]) {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [added, setAdded] = useState<readonly string[]>([])
  const all: Candidate[] = [
    ...candidates,
    ...added.filter(address => candidates.every(one => one.address !== address)).map(address => ({ address })),
  ]
  const tick = (address: string, on: boolean) =>
    setTicked(now => (on ? [...now, address] : now.filter(one => one !== address)))
  const add = (address: string) => {
    setAdded([...added, address])
    tick(address, true)
  }
  return { all, ticked, tick, add, chosen: all.filter(one => ticked.includes(one.address) && !one.adopted) }
}

type FoundProps = {
  choice: ReturnType<typeof useChoice>
  adoption: ReturnType<typeof useAdoption>
  isDone: boolean
  onDrop: (address: string) => Promise<void>
}

function Found({ choice: { all, ticked, tick }, adoption, isDone, onDrop }: FoundProps) {
  const t = useTranslations('wizard.devices')
  const retry = (one: Candidate, hostKey?: string) =>
    hostKey ? adoption.send([{ address: one.address, hostKey }]) : adoption.check.begin([one])
  return (
    <>
      {all.filter(isPossible).map(one => (
        <DeviceRow
          key={one.address}
          one={one}
          ticked={ticked.includes(one.address)}
          onTick={on => tick(one.address, on)}
          onRetry={hostKey => void retry(one, hostKey)}
          onDrop={() => void onDrop(one.address)}
        />
      ))}
      <OtherHosts hosts={all.flatMap(one => (one.found && !isPossible(one) ? [one.found] : []))} />
      {all.length === 0 && isDone && (
        <EmptyState slim title={t('nothing')}>
          {t('nothingMore')}
        </EmptyState>
      )}
    </>
  )
}

const credentialNames = Array.from({ length: limits.loginsInTurn }, (_, at) =>
  ['community', 'user', 'password', 'privateKey', 'passphrase', 'authKey', 'privKey'].map(
    name => `logins.${at}.credential.${name}`,
  ),
).flat()
