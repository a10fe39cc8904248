'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { StepFrame } from './step-frame'
import { useStep } from './use-step'
import type { Draft } from './wizard-data'

/** The setup code: whoever reads the console of the machine may set it up, nobody else in the LAN. */
export function UnlockStep({ onDone }: { onDone: (draft: Draft) => void }) {
  const t = useTranslations('wizard.unlock')
  const { busy, errors, failure, run } = useStep(['code'])
  const [code, setCode] = useState('')
  const send = async () => {
    const done = await run(() => callApi('wizard/unlock', { code }, { quiet: true }))
    if (done) onDone(done.draft)
  }
  return (
    <div className="wizard-body one near">
      <StepFrame title={t('title')} intro={t('intro')} onSubmit={send} busy={busy} disabled={code.trim() === ''}>
        <section className="card form-section">
          {failure && <Note tone="bad" alert title={failure} />}
          <TextField
            label={t('code')}
            help={t('help')}
            error={errors.code}
            autoFocus
            value={code}
            onChange={setCode}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
          />
        </section>
      </StepFrame>
    </div>
  )
}
