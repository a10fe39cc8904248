'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFailureText } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import type { DeviceInfo } from './device-info'

/** Well before the device would stop, also where a hidden tab's timers wait for up to a minute. */
const askAgainMs = 45_000
const quiet = { quiet: true, asks: true }

/** The device blinks from here on until this is gone; where nobody can tell it any more it stops on its own. */
function useBlinking(id: number): 'asking' | 'blinking' | ApiError {
  const [state, setState] = useState<'asking' | 'blinking' | ApiError>('asking')
  useEffect(() => {
    let over = false
    const ask = () =>
      callApi('devices/locate', withNetwork({ id }), { quiet: true }).then(
        () => over || setState('blinking'),
        error => over || !(error instanceof ApiError) || setState(error),
      )
    const end = () => {
      if (over) return
      over = true
      void callApi('devices/locate', withNetwork({ id, seconds: 0 }), quiet).catch(() => undefined)
    }
    void ask()
    const timer = setInterval(() => void ask(), askAgainMs)
    window.addEventListener('pagehide', end)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', end)
      end()
    }
  }, [id])
  return state
}

/** While it is open a light of the device blinks; closing it, however that is done, ends that. */
export function LocateDialog({ info, onClose }: { info: DeviceInfo; onClose: () => void }) {
  const t = useTranslations('devices.locate')
  const text = useFailureText()
  const state = useBlinking(info.id)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('title', { name: info.name })}
      footer={
        <Button kind="primary" onClick={onClose}>
          {state instanceof ApiError ? t('close') : t('stop')}
        </Button>
      }
    >
      {state instanceof ApiError ? (
        <Note tone="warn" alert title={t('failed', { name: info.name })}>
          {text(state)}
        </Note>
      ) : (
        <div role="status" className="grid gap-2">
          <Status state={state === 'asking' ? 'queued' : 'running'}>{t(state, { name: info.name })}</Status>
          <p className="soft">{t('help')}</p>
        </div>
      )}
    </Dialog>
  )
}
