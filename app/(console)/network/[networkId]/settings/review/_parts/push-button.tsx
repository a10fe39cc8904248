'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/button'
import { ConfirmDialog } from '@/app/_ui/dialog'
import type { Agreed } from './use-push'

/** A device that is about to be pushed to, and what a person has to agree to first. */
export type Target = { deviceId: number; name: string; drifted: boolean; cuts: boolean }

type Props = {
  targets: readonly Target[]
  label: string
  /** What happens beside what the targets say, one sentence each; then it is always asked. */
  more?: readonly string[]
  run: (agreed: Agreed) => Promise<unknown>
  /** Something stands against it that its page says. */
  disabled?: boolean
  /** Presses itself once, as soon as there is something to push to. */
  atOnce?: boolean
}

/** Pushes at once where nothing stands against it; else says what would be overwritten or cut, and asks. */
export function PushButton({ targets, label, more = [], run, disabled = false, atOnce = false }: Props) {
  const t = useTranslations('change.confirm')
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const drifted = targets.filter(one => one.drifted)
  const cut = targets.filter(one => one.cuts)
  const names = (of: readonly Target[]) => ({ names: of.map(one => one.name).join(', ') })
  const consequences = [
    ...(drifted.length ? [t('overwrite', names(drifted))] : []),
    ...(cut.length ? [t('cut', names(cut))] : []),
    ...more,
  ]
  const agreed = { overwrite: drifted.map(one => one.deviceId), cut: cut.map(one => one.deviceId) }
  const click = async () => {
    if (consequences.length) return setAsking(true)
    setBusy(true)
    // A refusal is told by a toast; the page stays as it is.
    await run(agreed).catch(() => setBusy(false))
  }
  const pressed = useRef(false)
  useEffect(() => {
    if (!atOnce || pressed.current || targets.length === 0) return
    pressed.current = true
    // Whoever comes back to this page by the browser's history did not ask again.
    window.history.replaceState(null, '', window.location.pathname)
    void click()
  })
  return (
    <>
      <Button kind="primary" icon="upload" busy={busy} disabled={disabled || targets.length === 0} onClick={click}>
        {label}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('title', { count: targets.length })}
        consequences={consequences}
        action={drifted.length || cut.length ? t('action') : label}
        danger={cut.length > 0}
        onConfirm={() => run(agreed)}
      />
    </>
  )
}
