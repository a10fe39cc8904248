'use client'
import * as Pop from '@radix-ui/react-popover'
import { useTranslations } from 'next-intl'
import { useId, useMemo } from 'react'
import { Button } from '@/app/_ui/button'
import { type Stop, shown } from './tour-places'

type CardProps = { stop: Stop; at: number; of: number; asked: boolean; onGo: (next: number) => void }

/** One stop of the guide, beside what it is about. */
export function StopCard({ stop, at, of, asked, onGo }: CardProps) {
  const t = useTranslations('shell.tour')
  const title = useId()
  const place = useMemo(() => ({ current: shown(stop) ?? document.body }), [stop])
  const last = at === of - 1
  return (
    <Pop.Root open>
      <Pop.Anchor virtualRef={place} />
      <Pop.Portal>
        <Pop.Content
          className="popover tour"
          sideOffset={8}
          collisionPadding={12}
          aria-labelledby={title}
          onInteractOutside={event => event.preventDefault()}
          // What begins by itself takes nobody's focus from what they are at.
          onOpenAutoFocus={event => asked || event.preventDefault()}
          onCloseAutoFocus={event => asked || event.preventDefault()}
          onEscapeKeyDown={() => onGo(of)}
        >
          <h2 className="medium" id={title}>
            {t(`stops.${stop}.title`)}
          </h2>
          <p className="soft">{t(`stops.${stop}.text`)}</p>
          <div className="row">
            <span className="grow muted fine-print number">{t('step', { step: at + 1, steps: of })}</span>
            {!last && (
              <Button small kind="ghost" onClick={() => onGo(of)}>
                {t('skip')}
              </Button>
            )}
            <Button small kind="primary" onClick={() => onGo(at + 1)}>
              {last ? t('finish') : t('next')}
            </Button>
          </div>
          <Pop.Arrow className="tour-arrow" />
        </Pop.Content>
      </Pop.Portal>
    </Pop.Root>
  )
}
