'use client'
import dynamic from 'next/dynamic'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { guideSteps } from '@/model/guide'
import type { ShellData } from './shell-data'
import { type Stop, shown } from './tour-places'

// Seen once: loaded then.
const StopCard = dynamic(async () => (await import('./tour-card')).StopCard)

/** The stops that there are for this person on this screen (specification section 2, Shell). */
function stopsOf({ mainAccount, authorities }: ShellData): Stop[] {
  const all: Stop[] = ['systems', 'account', 'companies']
  const companies = mainAccount && authorities.includes('organization_companies')
  return all.filter(stop => (stop !== 'companies' || companies) && shown(stop) !== undefined)
}

const TourContext = createContext<() => void>(() => undefined)
/** Begins the tour, from its first stop. */
export const useTour = () => useContext(TourContext)

/**
 * That this account has finished or skipped it in this tab: a page that is drawn before the manager has kept that does
 * not begin it again, over what somebody is about to press.
 */
const seenHere = {
  place: (account: number) => `lanward.tour-seen ${account}`,
  get: (account: number) => sessionStorage.getItem(seenHere.place(account)) !== null,
  set: (account: number) => sessionStorage.setItem(seenHere.place(account), ''),
}

const keep = (step: number) => callApi('guide/step', { step }, { quiet: true }).catch(() => undefined)

type Tour = { stops: Stop[]; at: number; asked: boolean }

/**
 * The first-use guide: up to three stops, each beside what it is about. For the main account it begins by itself, until
 * somebody has finished or skipped it once.
 */
export function Tour({ data, children }: { data: ShellData; children: ReactNode }) {
  const [tour, setTour] = useState<Tour>()
  const seen = useRef(data.guideStep >= guideSteps.seen)
  useEffect(() => {
    if (!data.mainAccount || seen.current) return
    if (seenHere.get(data.account.id)) {
      seen.current = true
      void keep(guideSteps.seen)
      return
    }
    const stops = stopsOf(data)
    if (stops.length > 0) setTour({ stops, at: Math.min(data.guideStep, stops.length - 1), asked: false })
  }, [data])
  const begin = useCallback(() => {
    const stops = stopsOf(data)
    if (stops.length > 0) setTour({ stops, at: 0, asked: true })
  }, [data])
  const go = async (next: number) => {
    if (!tour) return
    const over = next >= tour.stops.length
    setTour(over ? undefined : { ...tour, at: next })
    // A tour that was seen once is not begun anew by looking at it again.
    if (seen.current) return
    seen.current = over
    if (over) seenHere.set(data.account.id)
    await keep(over ? guideSteps.seen : next)
  }
  const stop = tour?.stops[tour.at]
  return (
    <TourContext.Provider value={begin}>
      {children}
      {tour && stop && (
        <StopCard
          key={stop}
          stop={stop}
          at={tour.at}
          of={tour.stops.length}
          asked={tour.asked}
          onGo={next => void go(next)}
        />
      )}
    </TourContext.Provider>
  )
}
