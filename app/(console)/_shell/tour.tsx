'use client'
import * as Pop from '@radix-ui/react-popover'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useId, useMemo, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { Button } from '@/app/_ui/button'
import { guideSteps } from '@/model/guide'
import type { ShellData } from './shell-data'

const menuButton = '[data-tour=menu]'
/** Where each stop points: the first of these that is on the screen. */
const places = {
  networks: ['[data-tour=networks]', menuButton],
  account: ['[data-tour=account]'],
  users: ['.side a[href="/organization/users"]', menuButton],
} as const
type Stop = keyof typeof places

const shown = (stop: Stop): Element | undefined =>
  places[stop]
    .flatMap(place => [...document.querySelectorAll(place)])
    .find(element => element.getClientRects().length > 0)

const TourContext = createContext<() => void>(() => undefined)
/** Begins the tour, from its first stop. */
export const useTour = () => useContext(TourContext)

/** The first-use guide: up to three stops, each beside what it is about; only the main account is shown its people. */
export function Tour({ data, children }: { data: ShellData; children: ReactNode }) {
  const [at, setAt] = useState<number>()
  const stops = useMemo<Stop[]>(() => {
    const people = data.mainAccount && data.authorities.includes('organization_users')
    return ['networks', 'account', ...(people ? (['users'] as const) : [])]
  }, [data])
  const go = async (next: number) => {
    const over = next >= stops.length
    setAt(over ? undefined : next)
    // A tour that was seen once is not begun anew by looking at it again.
    const step = over ? guideSteps.seen : next
    if (data.guideStep >= guideSteps.seen) return
    await callApi('guide/step', { step }, { quiet: true }).catch(() => undefined)
  }
  const stop = at === undefined ? undefined : stops[at]
  return (
    <TourContext.Provider value={() => setAt(0)}>
      {children}
      {stop !== undefined && at !== undefined && (
        <StopCard key={stop} stop={stop} at={at} of={stops.length} onGo={next => void go(next)} />
      )}
    </TourContext.Provider>
  )
}

type CardProps = { stop: Stop; at: number; of: number; onGo: (next: number) => void }

function StopCard({ stop, at, of, onGo }: CardProps) {
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
