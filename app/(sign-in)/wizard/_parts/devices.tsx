'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { Fingerprints } from '@/app/_shared/adoption/fingerprints'
import { emptyLogin, type Login } from '@/app/_shared/adoption/login-data'
import { LoginFields } from '@/app/_shared/adoption/login-fields'
import { Button } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import { EmptyState } from '@/app/_ui/states'
import { type Candidate, DeviceRow } from './device-row'
import { Scan } from './scan'
import { StepFrame } from './step-frame'
import { useAdoption, useSweep } from './use-adoption'
import { useStep } from './use-step'
import type { Draft, StepProps } from './wizard-data'

export function DevicesStep({ draft, onSaved, onBack, onDraft }: StepProps & { onDraft: (draft: Draft) => void }) {
  const t = useTranslations('wizard.devices')
  const { busy, errors, failure, run } = useStep(credentialNames)
  const { sweep, busy: going, candidates, refresh } = useSweep(draft, onDraft)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [added, setAdded] = useState<readonly string[]>([])
  const [login, setLogin] = useState<Login>(emptyLogin)
  const { keys, setKeys, adopt, send } = useAdoption(login, refresh, run)
  const all: Candidate[] = [
    ...candidates,
    ...added.filter(address => candidates.every(one => one.address !== address)).map(address => ({ address })),
  ]
  const chosen = all.filter(one => ticked.includes(one.address) && !one.adopted)
  const tick = (address: string, on: boolean) =>
    setTicked(now => (on ? [...now, address] : now.filter(one => one !== address)))
  const drop = async (address: string) => {
    await run(() => callApi('wizard/drop', { address }, { quiet: true }))
    onDraft({ ...draft, devices: draft.devices.filter(one => one.address !== address) })
    tick(address, false)
    await refresh()
  }
  const skip = async () => {
    const saved = await run(() => callApi('wizard/skip', { step: 'devices' }, { quiet: true }))
    if (saved) onSaved(saved)
  }
  const proceed = () => {
    if (draft.devices.length > 0) return onSaved(draft)
    if (chosen.length > 0) void adopt(chosen)
  }
  return (
    <StepFrame
      title={t('title')}
      intro={t('intro')}
      onSubmit={proceed}
      onBack={onBack}
      onSkip={draft.devices.length === 0 ? skip : undefined}
      hint={t('later')}
      disabled={draft.devices.length === 0 && chosen.length === 0}
      action={draft.devices.length > 0 ? t('continueWith', { count: draft.devices.length }) : undefined}
    >
      <div className="stack">
        {failure && <Note tone="bad" alert title={failure} />}
        <section className="card">
          <Scan
            sweep={sweep}
            untouched={draft.devices.length === 0}
            refresh={refresh}
            onAdd={address => {
              setAdded([...added, address])
              tick(address, true)
            }}
          />
          {all.map(one => (
            <DeviceRow
              key={one.address}
              one={one}
              ticked={ticked.includes(one.address)}
              onTick={on => tick(one.address, on)}
              onRetry={hostKey => void (hostKey ? send([{ address: one.address, hostKey }]) : adopt([one]))}
              onDrop={() => void drop(one.address)}
            />
          ))}
          {all.length === 0 && sweep?.state === 'done' && (
            <EmptyState slim title={t('nothing')}>
              {t('nothingMore')}
            </EmptyState>
          )}
        </section>
        {all.some(one => !one.adopted) && (
          <section className="card form-section">
            <h2>{t('login')}</h2>
            <p>{t('loginMore')}</p>
            <LoginFields login={login} onLogin={setLogin} errors={errors} />
            <Button
              className="justify-self-start"
              kind={draft.devices.length > 0 ? 'plain' : 'primary'}
              busy={busy}
              disabled={chosen.length === 0 || (going && sweep?.state !== 'running')}
              onClick={() => void adopt(chosen)}
            >
              {t('adopt', { count: chosen.length })}
            </Button>
          </section>
        )}
      </div>
      <Fingerprints
        keys={keys}
        onClose={() => setKeys(undefined)}
        onAccept={seen => {
          setKeys(undefined)
          void send(seen.map(({ address, hostKey }) => ({ address, hostKey })))
        }}
      />
    </StepFrame>
  )
}

const credentialNames = ['community', 'user', 'password', 'privateKey', 'passphrase', 'authKey', 'privKey'].map(
  name => `credential.${name}`,
)
