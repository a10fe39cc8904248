'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'

/** To be seen (`code`, an SVG) or to be heard (`audio`, a WAV file in base64). */
export type SignInCode = { codeToken: string } & ({ code: string } | { audio: string })

type Props = {
  code: SignInCode
  typed: string
  onTyped: (typed: string) => void
  error: string | undefined
  /** A new one to be seen, a new one to be heard. */
  onPicture: () => void
  onSpoken: () => void
}

/** The code that is asked for after two failures: in a picture, or read out as digits for who does not see it. */
export function CodeEntry({ code, typed, onTyped, error, onPicture, onSpoken }: Props) {
  const t = useTranslations('signIn')
  const heard = 'audio' in code
  return (
    <div className="grid gap-2">
      <div className="captcha">
        <TextField
          id="login-code"
          label={t(heard ? 'spokenCode' : 'code')}
          help={heard ? t('spokenHelp') : undefined}
          inputMode={heard ? 'numeric' : undefined}
          autoComplete="off"
          autoCapitalize="characters"
          value={typed}
          onChange={onTyped}
          error={error}
        />
        {heard ? (
          <Player audio={code.audio} />
        ) : (
          <button
            type="button"
            className="captcha-picture"
            aria-label={t('newCode')}
            title={t('newCode')}
            onClick={onPicture}
          >
            <CodePicture svg={code.code} />
          </button>
        )}
      </div>
      <Button kind="ghost" small onClick={heard ? onPicture : onSpoken}>
        {t(heard ? 'seeCode' : 'hearCode')}
      </Button>
    </div>
  )
}

/** Plays what was asked for at once, and again on a press; where the browser does not, it says so. */
function Player({ audio }: { audio: string }) {
  const t = useTranslations('signIn')
  const player = useRef<HTMLAudioElement>(null)
  const [silent, setSilent] = useState<'unasked' | 'pressed'>()
  const play = (why: 'unasked' | 'pressed') =>
    void player.current?.play().then(
      () => setSilent(undefined),
      // One that is begun anew ends the one before.
      error => error?.name !== 'AbortError' && setSilent(why),
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each code
  useEffect(() => {
    if (audio) play('unasked')
  }, [audio])
  return (
    <span className="captcha-player">
      {/* biome-ignore lint/a11y/useMediaCaption: its words are the code itself. */}
      <audio ref={player} src={`data:audio/wav;base64,${audio}`} />
      <Button onClick={() => play('pressed')}>{t(silent === 'unasked' ? 'playFirst' : 'playCode')}</Button>
      <span role="status" className="help">
        {silent && t(`notPlayed.${silent}`)}
      </span>
    </span>
  )
}

/** The picture takes the colour of the text in every theme: it is a mask. */
function CodePicture({ svg }: { svg: string }) {
  const mask = `url("data:image/svg+xml,${encodeURIComponent(svg)}") center / contain no-repeat`
  return <span className="code-picture" style={{ mask }} />
}
