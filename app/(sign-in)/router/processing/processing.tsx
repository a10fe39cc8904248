'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { currentRun } from '@/app/_api/run'
import { BusyMark, LinkButton } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'

const everyMs = 1000
/** After it somebody has to look at the manager itself. */
const longMs = 180_000

/** Asks for the manager's health until another run of it than `run` answers; without `run`, until any does. */
function useReturn(to: string, run: string): { long: boolean } {
  const [long, setLong] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let left = false
    const began = performance.now()
    const look = async () => {
      const now = await currentRun()
      if (left) return
      if (now !== undefined && now !== run) return window.location.replace(to)
      setLong(performance.now() - began > longMs)
      timer = setTimeout(look, everyMs)
    }
    void look()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [to, run])
  return { long }
}

export function Processing({ to, run }: { to: string; run: string }) {
  const t = useTranslations('signIn.processing')
  const { long } = useReturn(to, run)
  return (
    <main className="lone">
      <section className="card" aria-busy={!long}>
        <h1 className="row">
          {!long && <BusyMark />}
          {t('title')}
        </h1>
        <p className="soft" role="status">
          {t('text')}
        </p>
        {long && (
          <Note tone="warn" alert title={t('long')}>
            {t('longMore')}
          </Note>
        )}
        <span className="row">
          <LinkButton href={to}>{t('now')}</LinkButton>
        </span>
      </section>
    </main>
  )
}
