import { useTranslations } from 'next-intl'
import { useReason } from '@/app/_api/reason'
import { Button } from '@/app/_ui/button'
import { Progress } from '@/app/_ui/meters'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'

const steps = ['reach', 'hostKey', 'login', 'identify', 'read', 'saved'] as const
type Step = (typeof steps)[number]

/** A device on its way in, as the calls of the setup and of the console both tell it. */
export type Adoption = {
  state: 'waiting' | 'running' | 'adopted' | 'failed'
  step?: Step
  failure?: { step: Step; reason: string; detail?: string; hostKey?: string }
}

/** The step it is at. */
export function AdoptionStep({ step }: { step: Step }) {
  const t = useTranslations('adoption.step')
  return (
    <>
      <span>{t(step)}</span>
      <Progress share={(steps.indexOf(step) + 1) / steps.length} label={t(step)} />
    </>
  )
}

const looks = { adopted: 'confirmed', running: 'running', waiting: 'queued', failed: 'failed' } as const

/** How it stands in a word. */
export function AdoptionState({ state }: { state: Adoption['state'] | undefined }) {
  const t = useTranslations('adoption.state')
  return state ? <Status state={looks[state]}>{t(state)}</Status> : <span className="muted">{t('none')}</span>
}

type FailureProps = {
  failure: NonNullable<Adoption['failure']>
  /** Tries again with the login chosen now; with a key when the one that was seen is accepted. */
  onRetry?: (hostKey?: string) => void
}

/** Where it stopped, why, and what to do about it. */
export function AdoptionFailure({ failure, onRetry }: FailureProps) {
  const t = useTranslations('adoption')
  const { advice } = useReason()(failure.reason)
  const key = failure.reason === 'hostKeyUnknown' || failure.reason === 'hostKeyChanged' ? failure.hostKey : undefined
  return (
    <div className="fix">
      <Note
        tone="bad"
        title={t('failedAt', { step: t(`step.${failure.step}`) })}
        actions={
          onRetry && (
            <Button small onClick={() => onRetry(key)}>
              {key ? t('acceptKey') : t('tryAgain')}
            </Button>
          )
        }
      >
        {advice || failure.detail}
        {advice && failure.detail && <div className="fine-print muted">{failure.detail}</div>}
        {key && (
          <div className="ip fine-print truncated" title={key}>
            {key}
          </div>
        )}
      </Note>
    </div>
  )
}

type Sweep = { done: number; total: number; found: readonly unknown[]; segments: readonly string[] }

/** How far a search of the segments is. */
export function SweepProgress({ sweep, onStop }: { sweep: Sweep; onStop: () => void }) {
  const t = useTranslations('adoption.sweep')
  const { done, total, found, segments } = sweep
  return (
    <>
      <div className="grow stack" style={{ gap: 8 }}>
        <Status state="running" age={t('progress', { done, total, found: found.length })}>
          {t('searching')} <span className="ip">{segments.join(', ')}</span>
        </Status>
        <Progress share={total > 0 ? done / total : undefined} label={t('searching')} />
      </div>
      <Button onClick={onStop}>{t('stop')}</Button>
    </>
  )
}
