'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { Logo } from '@/app/_ui/logo'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { type Step, Steps } from '@/app/_ui/steps'
import { type Language, LanguagePick } from '../../_parts/language-pick'
import { ThemeButton } from '../../_parts/theme-button'
import { AccountStep } from './account'
import { DevicesStep } from './devices'
import { Finished } from './finished'
import { GeneralStep } from './general'
import { RestoreStep } from './restore'
import { SsidStep } from './ssid'
import { SummaryStep } from './summary'
import { UnlockStep } from './unlock'
import { type Draft, type Info, nextStep, type Pushed, type StepId, stepIds, type Typed } from './wizard-data'

type Props = { languages: readonly Language[]; locale: string; push: Pushed | undefined }

export function Wizard({ languages, locale, push }: Props) {
  const [state, setState] = useState<State>({})
  const [pushed, setPushed] = useState(push)
  const { info, error } = state
  const load = () => {
    setState({})
    void open().then(setState)
  }
  useEffect(() => {
    if (push === undefined) void open().then(setState)
  }, [push])
  const ready = info?.draft ?? undefined
  return (
    <div className="wizard">
      <header className="wizard-top">
        <Logo />
        <Title />
        <span className="end row">
          <LanguagePick languages={languages} current={locale} />
          <ThemeButton />
        </span>
      </header>
      {pushed ? (
        <Finished {...pushed} />
      ) : error ? (
        <Lone>
          <ErrorState error={error} onRetry={load} />
        </Lone>
      ) : !info ? (
        <Lone>
          <SkeletonLines lines={4} />
        </Lone>
      ) : !ready ? (
        <UnlockStep onDone={draft => setState({ info: { ...info, entered: true, draft } })} />
      ) : (
        <Guided info={info} start={ready} languages={languages} locale={locale} onFinished={setPushed} />
      )}
    </div>
  )
}

type State = { info?: Info; error?: ApiError }

/** What the manager says of its setup; where no code is asked the wizard is entered at once. */
async function open(): Promise<State> {
  try {
    const info = await callApi('wizard/initial-info', {}, { quiet: true })
    if (info.finished) window.location.assign('/')
    if (info.entered || info.needsCode || info.finished) return { info }
    const { draft } = await callApi('wizard/unlock', { code: '' }, { quiet: true })
    return { info: { ...info, entered: true, draft } }
  } catch (error) {
    return error instanceof ApiError ? { error } : {}
  }
}

const Title = () => useTranslations('wizard')('title')
const Lone = ({ children }: { children: ReactNode }) => <main className="wizard-body">{children}</main>

type GuidedProps = {
  info: Info
  start: Draft
  languages: readonly Language[]
  locale: string
  onFinished: (pushed: Pushed) => void
}

function Guided({ info, start, languages, locale, onFinished }: GuidedProps) {
  const t = useTranslations('wizard')
  const [draft, setDraft] = useState(start)
  const [at, setAt] = useState<StepId>(nextStep(start))
  const [restoring, setRestoring] = useState(false)
  const typed = useRef<Typed>(new Map()).current
  const index = stepIds.indexOf(at)
  const before = stepIds[index - 1]
  const saved = (next: Draft) => {
    setDraft(next)
    typed.delete(at)
    setAt(stepIds[index + 1] ?? 'summary')
  }
  const props = { draft, typed, onSaved: saved, onBack: before ? () => setAt(before) : undefined }
  const notes: Record<StepId, string | undefined> = {
    general: draft.general?.name,
    account: draft.account?.account,
    devices: draft.devices.length > 0 ? t('adoptedCount', { count: draft.devices.length }) : undefined,
    ssid: typeof draft.ssid?.name === 'string' ? draft.ssid.name : undefined,
    summary: undefined,
  }
  const steps: Step[] = stepIds.map(id => ({ id, label: t(`steps.${id}`), note: notes[id] }))
  if (restoring)
    return (
      <div className="wizard-body one">
        <RestoreStep secure={info.secure} onBack={() => setRestoring(false)} />
      </div>
    )
  return (
    <div className="wizard-body">
      <Steps steps={steps} current={at} label={t('stepsLabel')} />
      {at === 'general' && (
        <GeneralStep
          {...props}
          info={info}
          languages={languages}
          locale={locale}
          onRestore={() => setRestoring(true)}
        />
      )}
      {at === 'account' && <AccountStep {...props} secure={info.secure} />}
      {at === 'devices' && <DevicesStep {...props} onDraft={setDraft} />}
      {at === 'ssid' && <SsidStep {...props} />}
      {at === 'summary' && <SummaryStep {...props} onEdit={setAt} onFinished={onFinished} />}
    </div>
  )
}
