'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useClock } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'

export type RebootStage = 'going' | 'away' | 'back' | 'lost'

const everyMs = 2000
const patienceMs = 600_000
const pause = (ms: number) => new Promise(done => setTimeout(done, ms))

/** Where a device stands after it was told to reboot at `since`, Unix ms: it started later than that, or is not there. */
async function stageOf(id: number, since: number): Promise<RebootStage> {
  const late = Date.now() - since > patienceMs
  try {
    await callApi('devices/sync', withNetwork({ id }), { quiet: true })
    const { uptimeSeconds } = await callApi('devices/info', withNetwork({ id }), { quiet: true })
    return uptimeSeconds !== undefined && Date.now() - uptimeSeconds * 1000 > since ? 'back' : late ? 'lost' : 'going'
  } catch {
    return late ? 'lost' : 'away'
  }
}

/**
 * Follows a reboot: a device is polled once a minute, which may miss all of it. `begin` when it was asked for;
 * `onChange` after each look, for the page to show the device's state as it is then.
 */
export function useReboot(id: number, onChange: () => void) {
  const [since, setSince] = useState<number>()
  const [stage, setStage] = useState<RebootStage>('going')
  useEffect(() => {
    if (since === undefined) return
    let left = false
    const follow = async () => {
      for (let now: RebootStage = 'going'; !left && now !== 'back' && now !== 'lost'; ) {
        await pause(everyMs)
        now = await stageOf(id, since)
        if (left) return
        setStage(now)
        onChange()
      }
    }
    void follow()
    return () => {
      left = true
    }
  }, [id, since, onChange])
  const begin = () => {
    setStage('going')
    setSince(Date.now())
  }
  return { since, stage, begin }
}

const tones = { going: 'info', away: 'info', back: 'ok', lost: 'bad' } as const

/** How far a reboot is; nothing where none was asked for. */
export function RebootNote({ since, stage }: { since: number | undefined; stage: RebootStage }) {
  const t = useTranslations('devices.reboot.stage')
  const clock = useClock()
  return (
    <div className="notices" aria-live="polite">
      {since !== undefined && (
        <Note tone={tones[stage]} title={t(`${stage}.title`)}>
          {t(`${stage}.text`, { at: clock.time(since, true) })}
        </Note>
      )}
    </div>
  )
}
