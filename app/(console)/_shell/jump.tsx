'use client'
import * as Radix from '@radix-ui/react-dialog'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { Icon, type IconName, iconOf } from '@/app/_ui/icon'
import { fold } from '@/app/_ui/listbox'
import type { MenuItem } from '@/server/people/access/menu'
import { goKeys, pathOf } from './menu-tree'

type Hit = { href: string; text: string; icon: IconName; trail?: string }
type Props = { open: boolean; onClose: () => void; menus: readonly MenuItem[]; network: number | null }

const most = 20
const mostDevices = 10

function useHits(typed: string, menus: readonly MenuItem[], network: number | null): Hit[] {
  const names = useTranslations('menu')
  const t = useTranslations('shell')
  const networks = useCall('networks/options', {}, { live: true })
  const visible = menus.flatMap(item => [item, ...item.children]).filter(item => !item.hidden)
  const screens = visible
    .filter(item => network !== null || !item.pathId.includes('{n}'))
    .map(item => ({
      href: pathOf(item, network),
      text: names(item.name),
      icon: iconOf(item.icon, 'file'),
      trail: goKeys[item.menuId] && `g ${goKeys[item.menuId]}`,
    }))
  const places = (networks.data?.result ?? []).map(n => ({
    href: `/network/${n.value}/dashboard`,
    text: n.label,
    icon: 'networks' as const,
    trail: t('network'),
  }))
  const devices = useDevices(typed, network)
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return [
    ...[...screens, ...places].filter(hit => words.every(word => fold(hit.text).includes(word))),
    ...devices,
  ].slice(0, most)
}

/** Devices of the network by name, address, MAC or serial, as their list finds them. */
function useDevices(typed: string, network: number | null): Hit[] {
  const search = useSettled(typed.trim())
  const may = useMay('devices')
  const input = may &&
    network !== null &&
    search !== '' && { networkId: network, page: 1, pageSize: mostDevices, search }
  const { data } = useCall('devices/list', input || null, { keep: false })
  return (data?.result ?? []).map(device => ({
    href: `/network/${network}/devices/detail?id=${device.id}`,
    text: device.name,
    icon: iconOf(device.kind, 'devices'),
    trail: device.address,
  }))
}

const settleMs = 250

/** A text once typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function Search({ onClose, menus, network }: Omit<Props, 'open'>) {
  const t = useTranslations('shell')
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const [hot, setHot] = useState(0)
  const hits = useHits(typed, menus, network)
  const go = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    router.push(hit.href)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setHot(at => Math.max(0, Math.min(hits.length - 1, at + step)))
    }
    if (event.key === 'Enter') go(hits[hot])
  }
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
            key={hit.href}
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
export function Jump({ open, onClose, menus, network }: Props) {
  const t = useTranslations('shell')
  return (
    <Radix.Root open={open} onOpenChange={next => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="dialog wide jump" aria-describedby={undefined}>
          <Radix.Title className="visually-hidden">{t('search')}</Radix.Title>
          <Search onClose={onClose} menus={menus} network={network} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const isJump = ({ ctrlKey, metaKey, key }: globalThis.KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && key.toLowerCase() === 'k'

/** A key that is typed into something, or is the browser's. */
const isElsewhere = ({ ctrlKey, metaKey, altKey, target }: globalThis.KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || (target as HTMLElement).closest('input, textarea, select, [role=dialog]') !== null

/** Ctrl K opens the search, `?` the help; `g` and a letter goes to a screen. Typing in a field is left alone. */
export function useShellKeys(menus: readonly MenuItem[], network: number | null, onJump: () => void): void {
  const router = useRouter()
  const waiting = useRef(0)
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (isJump(event)) {
        event.preventDefault()
        return onJump()
      }
      if (isElsewhere(event)) return
      if (event.key === '?') return router.push('/account/help')
      if (event.key === 'g') {
        waiting.current = event.timeStamp
        return
      }
      const item = menus.find(entry => goKeys[entry.menuId] === event.key)
      if (item && event.timeStamp - waiting.current < 1500)
        router.push(pathOf(item.children.find(c => !c.hidden) ?? item, network))
      waiting.current = 0
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [menus, network, onJump, router])
}
