import { useTranslations } from 'next-intl'
import { useReason } from '@/app/_api/reason'
import { Button } from '@/app/_ui/button'
import { Progress } from '@/app/_ui/meters'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import type { Way } from './login-data'

const steps = ['reach', 'hostKey', 'login', 'identify', 'read', 'saved'] as const
type Step = (typeof steps)[number]

/** A device on its way in, as the calls of the setup and of the console both tell it. */
export type Adoption = {
  state: 'waiting' | 'running' | 'adopted' | 'failed'
  step?: Step
  /** Which of several logins is tried. */
  login?: { login: number; of: number }
  failure?: Failure
  tries?: readonly LoginTry[]
}
type Failure = { step: Step; reason: string; detail?: string; hostKey?: string }
/** How one login fared; without `failure` it worked. */
type LoginTry = { name: string; type: Way; tried: boolean; failure?: Failure }

/** The step it is at. */
export function AdoptionStep({ step, login }: { step: Step; login?: Adoption['login'] }) {
  const t = useTranslations('adoption')
  const name = t(`step.${step}`)
  return (
    <>
      <span>{login ? t('stepOf', { step: name, number: login.login, count: login.of }) : name}</span>
      <Progress share={(steps.indexOf(step) + 1) / steps.length} label={name} />
    </>
  )
}

/** Of several logins the one that worked. */
export function WorkedLogin({ tries = [] }: Pick<Adoption, 'tries'>) {
  const t = useTranslations('adoption.logins')
  const worked = tries.find(one => !one.failure)
  if (!worked || tries.length < 2) return null
  return <span className="muted">{t('worked', { name: worked.name })}</span>
}

/** Why each of several logins did not work, in their order. */
function FailedLogins({ tries }: { tries: readonly LoginTry[] }) {
  const t = useTranslations('adoption.logins')
  const ways = useTranslations('adoption.login.ways')
  const reason = useReason()
  return (
    <ol className="tries">
      {tries.map((one, at) => {
        const why = reason(one.failure?.reason ?? '').title
        const values = { name: one.name, way: ways(one.type), why }
        const kept = !one.tried && one.failure?.reason !== 'lockOut'
        // Two new ones of one sort have one name; their places tell them apart.
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is all there is
        return <li key={at}>{kept ? t('notTried', values) : t('failed', values)}</li>
      })}
    </ol>
  )
}

type CourseProps = { items: readonly Adoption[]; onCancel: () => void }

/** How far an adoption of several devices is, while it goes. */
export function AdoptionCourse({ items, onCancel }: CourseProps) {
  const t = useTranslations('adoption.course')
  const done = items.filter(one => one.state === 'adopted' || one.state === 'failed').length
  if (done === items.length) return null
  return (
    <div className="scan">
      <div className="grow stack" style={{ gap: 8 }}>
        <Status state="running" age={t('progress', { done, total: items.length })}>
          {t('title')}
        </Status>
        <Progress share={done / items.length} label={t('title')} />
      </div>
      <Button onClick={onCancel}>{t('cancel')}</Button>
    </div>
  )
}

const looks = { adopted: 'confirmed', running: 'running', waiting: 'queued', failed: 'failed' } as const

/** How it stands in a word. */
export function AdoptionState({ state }: { state: Adoption['state'] | undefined }) {
  const t = useTranslations('adoption.state')
  return state ? <Status state={looks[state]}>{t(state)}</Status> : <span className="muted">{t('none')}</span>
}

type FailureProps = {
  failure: Failure
  tries?: readonly LoginTry[]
  /** Tries again with the login chosen now; with a key when the one that was seen is accepted. */
  onRetry?: (hostKey?: string) => void
}

/** Where it stopped, why, and what to do about it. */
export function AdoptionFailure({ failure, tries = [], onRetry }: FailureProps) {
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
        {advice && failure.detail && !key && <div className="fine-print muted">{failure.detail}</div>}
        {tries.length > 1 && <FailedLogins tries={tries} />}
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
