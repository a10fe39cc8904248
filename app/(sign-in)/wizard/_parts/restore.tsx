'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError, type CallOutput, callApi } from '@/app/_api/client'
import { awaitRestart, currentRun } from '@/app/_api/run'
import { sendFile } from '@/app/_api/send-file'
import { useFailureText } from '@/app/_api/words'
import { PasswordField } from '@/app/_ui/field'
import { FileButton } from '@/app/_ui/file-input'
import { Progress } from '@/app/_ui/meters'
import { Note } from '@/app/_ui/note'
import { StepFrame } from './step-frame'
import { useStep } from './use-step'

type Uploaded = CallOutput<'wizard/restore/upload'>

/** In place of a new setup: everything from a backup, made on the machine that this one takes over from. */
export function RestoreStep({ onBack, secure }: { onBack: () => void; secure: boolean }) {
  const t = useTranslations('wizard.restore')
  const { busy, errors, failure, run } = useStep(['passphrase'])
  const { file, percent, problem, choose } = useUpload()
  const [passphrase, setPassphrase] = useState('')
  // Busy until the page that waits for the restart is there.
  const [leaving, setLeaving] = useState(false)
  const able = file !== undefined && (file.passphrase || file.ours)
  const send = async () => {
    if (!file) return
    const input = { name: file.name, ...(passphrase && { passphrase }) }
    const before = await currentRun()
    const done = await run(() => callApi('wizard/restore', input, { quiet: true }))
    if (!done) return
    setLeaving(true)
    awaitRestart(before, '/login')
  }
  return (
    <StepFrame
      title={t('title')}
      intro={t('intro')}
      onSubmit={send}
      onBack={busy || leaving ? undefined : onBack}
      busy={busy || leaving}
      disabled={!able || !secure || (!file.ours && passphrase === '')}
      action={t('restore')}
    >
      <div className="stack">
        {!secure && (
          <Note tone="bad" title={t('insecure')}>
            {t('insecureMore')}
          </Note>
        )}
        {(problem ?? failure) && <Note tone="bad" alert title={problem ?? failure ?? ''} />}
        <section className="card form-section">
          <FileChoice percent={percent} onChoose={choose} />
          {file && <About file={file} />}
          {file && !able && (
            <Note tone="warn" alert title={t('thisMachineOnly')}>
              {t('thisMachineOnlyMore')}
            </Note>
          )}
          {able && file.passphrase && (
            <PasswordField
              label={t('passphrase')}
              help={t('passphraseHelp')}
              autoComplete="off"
              autoFocus
              value={passphrase}
              onChange={setPassphrase}
              error={errors.passphrase}
            />
          )}
        </section>
      </div>
    </StepFrame>
  )
}

/** Brings the file and lets the manager look into it. */
function useUpload() {
  const text = useFailureText()
  const [file, setFile] = useState<Uploaded>()
  const [percent, setPercent] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const choose = async (chosen: File) => {
    setFile(undefined)
    setProblem(undefined)
    setPercent(0)
    try {
      setFile((await sendFile('wizard/restore/upload', {}, chosen, setPercent)) as Uploaded)
    } catch (error) {
      if (error instanceof ApiError) setProblem(text(error))
    } finally {
      setPercent(undefined)
    }
  }
  return { file, percent, problem, choose: (chosen: File) => void choose(chosen) }
}

function FileChoice({ percent, onChoose }: { percent: number | undefined; onChoose: (file: File) => void }) {
  const t = useTranslations('wizard.restore')
  return (
    <div className="grid gap-2">
      <div>
        <FileButton
          label={t('choose')}
          accept=".tar.gz,application/gzip"
          busy={percent !== undefined}
          onFile={onChoose}
        >
          {percent === undefined ? t('choose') : t(percent < 100 ? 'uploading' : 'checking', { percent })}
        </FileButton>
      </div>
      {percent !== undefined && <Progress share={percent / 100} label={t('uploading', { percent })} />}
      <p className="help">{t('chooseHelp')}</p>
    </div>
  )
}

/** What the file is, so that nobody restores another. */
function About({ file: { manager, createdAt, version } }: { file: Uploaded }) {
  const t = useTranslations('wizard.restore')
  const locale = useLocale()
  const at = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(createdAt)
  return (
    <Note tone="ok" title={t('about', { manager, at })}>
      {t('aboutMore', { version })}
    </Note>
  )
}
