'use client'
import './desk.css'
import { useTranslations } from 'next-intl'
import { useCallback, useRef, useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { PageHead } from '@/app/_ui/page-head'
import { List } from './list'
import type { DeskVoucher, Sold } from './rows'
import { Sell } from './sell'
import { usePressed } from './use-pressed'
import { Card } from './voucher-card'
import { Waiting } from './waiting'

const firstMost = 20

/** What somebody at the front desk does, on a phone or beside it: sell, find, show, print, mail, extend, free, void. */
export function Desk() {
  const t = useTranslations('desk')
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(firstMost)
  const found = useNetworkCall('vouchers/desk/find', { search, most }, { live: true })
  const presets = useNetworkCall('vouchers/desk/presets', {}, { live: true })
  const [open, setOpen] = useState<Sold>()
  const card = useRef<HTMLElement>(null)
  const show = useCallback((one: Sold) => {
    setOpen(one)
    // Where the card stands above the list, it is what is wanted now.
    requestAnimationFrame(() => card.current?.scrollIntoView({ block: 'nearest' }))
  }, [])
  const voided = useCallback((id: number) => setOpen(now => (now?.voucher?.id === id ? undefined : now)), [])
  const { acts, waits, press, drop } = usePressed({ sold: show, voided })
  const opened = open?.voucher
  // What the list says of it is newer than what was answered when it was opened.
  const voucher = found.data?.result.find(one => one.id === opened?.id) ?? opened
  const choose = (one: DeskVoucher) => show({ voucher: one, qr: null })
  return (
    <>
      <PageHead title={t('title')} sub={presets.data && <Today {...presets.data} />} />
      {waits && acts.length > 0 && <Waiting acts={acts} drop={drop} />}
      <div className="desk">
        <div className="desk-side">
          <Sell call={presets} press={press} busy={acts.some(act => act.name === 'sell')} />
          {voucher && open && (
            <Card
              key={voucher.id}
              ref={card}
              voucher={voucher}
              qr={open.qr}
              mail={presets.data?.mail ?? false}
              press={press}
              onClose={() => setOpen(undefined)}
            />
          )}
        </div>
        <List
          call={found}
          chosen={voucher?.id}
          search={search}
          onSearch={wanted => {
            setSearch(wanted)
            setMost(firstMost)
          }}
          onChoose={choose}
          onMore={() => setMost(now => Math.min(200, now * 2))}
        />
      </div>
    </>
  )
}

function Today({ sold, voided }: { sold: number; voided: number }) {
  const t = useTranslations('desk')
  return [t('today', { sold }), voided > 0 && t('todayVoided', { voided })].filter(Boolean).join(', ')
}
