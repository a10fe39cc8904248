'use client'
import * as Radix from '@radix-ui/react-dialog'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useHotRow } from '@/app/_ui/find-box'
import { Icon } from '@/app/_ui/icon'
import { keptAddress } from '@/app/_ui/kept-view'
import { leaveThen } from '@/app/_ui/leaving'
import { type Hit, useHits } from './search-hits'
import type { ShellData } from './shell-data'

type Props = { onClose: () => void; data: ShellData; network: number | null }

function Search({ onClose, data, network }: Props) {
  const t = useTranslations('shell')
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const hits = useHits(typed, data, network)
  const go = (hit: Hit) => {
    onClose()
    leaveThen(() => router.push(keptAddress(hit.href)))
  }
  const { hot, setHot, press } = useHotRow(hits, go)
  return (
    <>
      <div className="query">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="jump-hits"
          aria-activedescendant={hits[hot] ? `jump-${hot}` : undefined}
          aria-label={t('search')}
          placeholder={t('search')}
          value={typed}
          onKeyDown={press}
          onChange={event => {
            setTyped(event.target.value)
            setHot(0)
          }}
        />
        <kbd className="key-cap">Esc</kbd>
      </div>
      <div className="hits" id="jump-hits" role="listbox" aria-label={t('search')}>
        {hits.map((hit, at) => (
          <button
            key={`${hit.href} ${hit.text}`}
            type="button"
            id={`jump-${at}`}
            role="option"
            aria-selected={at === hot}
            tabIndex={-1}
            className={at === hot ? 'menu-item highlighted' : 'menu-item'}
            onPointerMove={() => setHot(at)}
            onClick={() => go(hit)}
          >
            <Icon name={hit.icon} />
            <span className="truncated">{hit.text}</span>
            {hit.trail && <span className="trail">{hit.trail}</span>}
          </button>
        ))}
        {hits.length === 0 && <p className="empty slim">{t('noHit')}</p>}
      </div>
    </>
  )
}

/** Ctrl K: type a few letters, Enter. */
export function Jump({ onClose, data, network }: Props) {
  const t = useTranslations('shell')
  return (
    <Radix.Root open onOpenChange={next => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="dialog wide jump" aria-describedby={undefined}>
          <Radix.Title className="visually-hidden">{t('search')}</Radix.Title>
          <Search onClose={onClose} data={data} network={network} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
