'use client'
import dynamic from 'next/dynamic'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useStream } from '@/app/_api/events'
import { MayProvider } from '@/app/_api/may'
import { holdScreens, screenCame, useReach } from '@/app/_api/reach'
import { belongTo } from '@/app/_api/session-end'
import { useCall } from '@/app/_api/use-call'
import { ClockProvider, useClock } from '@/app/_ui/clock'
import { CrumbProvider } from '@/app/_ui/crumb'
import { Glyph } from '@/app/_ui/status'
import { Toaster } from '@/app/_ui/toast'
import { besideShared } from '@/model/authority'
import { Header } from './header'
import { KeepViews } from './keep-views'
import { isDenied, networkIn, trailTo } from './menu-tree'
import { Offers } from './offers'
import { Outcomes } from './outcomes'
import { PasswordNotice } from './password-notice'
import type { ShellData, ShownNetwork } from './shell-data'
import { useShellKeys } from './shell-keys'
import { Sidebar } from './sidebar'
import { SignInAgain } from './sign-in-again'
import { Tour } from './tour'

const loadJump = () => import('./jump')
const Jump = dynamic(async () => (await loadJump()).Jump, { ssr: false })

/** Everything around a page of the console. */
export function Shell({ data, children }: { data: ShellData; children: ReactNode }) {
  // Before any part asks for something; whoever the server draws later, what was typed here is theirs.
  useState(() => belongTo(data.account.id))
  return (
    <Rights data={data}>
      <ClockProvider style={data.style}>
        <CrumbProvider>
          <Tour data={data}>
            <Frame data={data}>{children}</Frame>
          </Tour>
          <Outcomes />
          <SignInAgain account={data.account.account} />
          <PasswordNotice />
          <Offers />
          <Toaster />
        </CrumbProvider>
      </ClockProvider>
    </Rights>
  )
}

/** The network that the address names, else the one this session showed last while that is still entered. */
function useNetwork(data: ShellData, path: string) {
  const { data: options } = useCall('networks/options', {}, { live: true })
  const named = networkIn(path)
  const entry =
    options?.result.find(one => one.value === (named ?? data.network?.id)) ?? (named === null && options?.result[0])
  return useMemo((): ShownNetwork | null => {
    if (entry) return { id: entry.value, name: entry.label, access: entry.access, shareStatus: entry.shareStatus }
    if (named === null && options) return null
    const drawn = data.network && (named === null || named === data.network.id) ? data.network : undefined
    if (!drawn) return named === null ? null : { id: named, name: '', access: 'own', shareStatus: 0 }
    return { ...drawn, shareStatus: drawn.access === 'own' ? 0 : 2 }
  }, [named, entry, options, data.network])
}

/** The menu was drawn for the first network there is, or for none: it is drawn again when that one goes, or a first one comes. */
function useMenuOfNow({ network }: ShellData): void {
  const router = useRouter()
  const { data: options } = useCall('networks/options', {}, { live: true })
  const ids = options?.result.map(one => one.value)
  const stale = ids !== undefined && (network ? !ids.includes(network.id) : ids.length > 0)
  useEffect(() => {
    if (stale) router.refresh()
  }, [stale, router])
}

/** What this person may do, here: in a network that another organization shares it is less. */
function Rights({ data, children }: { data: ShellData; children: ReactNode }) {
  const access = useNetwork(data, usePathname())?.access ?? 'own'
  const held = useMemo(
    () => (access === 'own' ? data.authorities : [...besideShared(new Set(data.authorities), access)]),
    [access, data.authorities],
  )
  return <MayProvider authorities={held}>{children}</MayProvider>
}

const unreadEveryMs = 60_000

/** The red dot: asked at once, on the stream's word, and every 60 s; silent when it fails (specification section 4). */
function useUnread(network: number | null, allowed: boolean): number {
  const input = allowed && network !== null ? { networkId: network } : null
  const { data } = useCall('alerts/unread', input, { live: true, refreshMs: unreadEveryMs })
  return data?.count ?? 0
}

function Frame({ data, children }: { data: ShellData; children: ReactNode }) {
  const t = useTranslations('shell')
  const path = usePathname()
  const network = useNetwork(data, path)
  useMenuOfNow(data)
  const [slim, setSlim] = useState(data.slim)
  const [drawer, setDrawer] = useState(false)
  const [jump, setJump] = useState(false)
  const openJump = useCallback(() => setJump(true), [])
  const trail = useMemo(() => trailTo(data.menus, path, network?.id ?? null), [data.menus, path, network])
  useShellKeys(data.menus, network?.id ?? null, openJump)
  // No page waits for the search; who then presses Ctrl K does not wait for it, either.
  useEffect(() => void loadJump(), [])
  useEffect(() => {
    if (path) setDrawer(false)
  }, [path])
  const fold = () => {
    setSlim(!slim)
    callApi('appearance/set', { sidebar: slim ? 'wide' : 'slim' }, { quiet: true }).catch(() => undefined)
  }
  const unread = useUnread(network?.id ?? null, data.authorities.includes('alerts'))
  const side = { data, trail, network, unread }
  return (
    <div className={slim ? 'shell slim' : 'shell'}>
      <KeepViews account={data.account.account} menus={data.menus} />
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <Opening />
      <Header data={data} trail={trail} network={network} onJump={openJump} onDrawer={() => setDrawer(true)} />
      <Sidebar {...side} slim={slim} onSlim={fold} />
      {drawer && (
        <>
          <button type="button" className="overlay" aria-label={t('closeMenu')} onClick={() => setDrawer(false)} />
          <Sidebar {...side} slim={false} onSlim={fold} drawer />
        </>
      )}
      <div>
        <StaleBand />
        <main className="main" id="main" tabIndex={-1}>
          {isDenied(path, network?.id ?? null, data.menus, data.denied) ? <Forbidden /> : children}
        </main>
      </div>
      {jump && <Jump onClose={() => setJump(false)} data={data} network={network?.id ?? null} />}
    </div>
  )
}

/** A screen that this person may not open, by its address: the forbidden page. */
function Forbidden() {
  const router = useRouter()
  useEffect(() => router.replace('/forbidden'), [router])
  return null
}

/** A line at the top while the next screen is on its way: a press shows that it was heard, however slow the line. */
function Opening() {
  const { opening, lostAt } = useReach()
  const path = usePathname()
  const query = useSearchParams()
  useEffect(holdScreens, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen came when the address changed
  useEffect(() => {
    screenCame()
  }, [path, query])
  return opening !== null && lostAt === 0 && <div key={opening} className="opening" aria-hidden="true" />
}

const graceMs = 6000

/** Says since when nothing arrives by itself any more, or nothing at all; the data stay and are asked for at intervals. */
function StaleBand() {
  const t = useTranslations('shell')
  const clock = useClock()
  const { live, since } = useStream()
  const { lostAt, opening } = useReach()
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (live || since === 0) return
    const timer = setTimeout(() => setLate(true), graceMs)
    return () => clearTimeout(timer)
  }, [live, since])
  if (lostAt === 0 && !late) return null
  return (
    <div className={lostAt === 0 ? 'band' : 'band lost'} role="status">
      <Glyph shape={lostAt === 0 ? 'half' : 'ring'} />
      {lostAt === 0 ? t('stopped', { time: clock.time(since) }) : t('lost', { time: clock.time(lostAt) })}
      {lostAt !== 0 && opening !== null && <b>{t('held')}</b>}
    </div>
  )
}
