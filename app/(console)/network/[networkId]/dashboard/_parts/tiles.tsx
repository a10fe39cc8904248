'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Pips } from '@/app/_ui/meters'
import { Skeleton } from '@/app/_ui/states'
import { Count, Unknown } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { type GuestMethod, guestMethods } from '@/model/guests/methods'
import type { Range } from './ranges'

const guestMethodNames = Object.keys(guestMethods) as GuestMethod[]

type Tile = CallOutput<'dashboard/devices'>['result'][number]

const groups = [
  { id: 'gateway', kinds: ['gateway', 'firewall'] },
  { id: 'ap', kinds: ['ap'] },
  { id: 'switch', kinds: ['switch'] },
  { id: 'other', kinds: ['other'] },
] as const

const sum = (tiles: readonly Tile[], field: 'total' | 'online' | 'silent' | 'offline' | 'waiting') =>
  tiles.reduce((total, tile) => total + tile[field], 0)

/** How many devices of each kind there are and how many of them answer, and the clients now. */
export function Counts({ range }: { range: Range }) {
  const t = useTranslations('dashboard.tiles')
  const { data } = useNetworkCall('dashboard/devices', {}, { live: true })
  const tiles = data?.result
  return (
    <section className="card health" aria-label={t('label')}>
      {groups.map(({ id, kinds }) => {
        const own = tiles?.filter(tile => (kinds as readonly string[]).includes(tile.kind))
        if (id === 'other' && (!own || sum(own, 'total') === 0)) return null
        return <KindTile key={id} id={id} kind={kinds.length === 1 ? kinds[0] : ''} tiles={own} />
      })}
      <ClientsTile range={range} />
      <GuestsTile />
    </section>
  )
}

function KindTile({ id, kind, tiles }: { id: (typeof groups)[number]['id']; kind: string; tiles: Tile[] | undefined }) {
  const t = useTranslations('dashboard.tiles')
  const { networkId } = useParams<{ networkId: string }>()
  if (!tiles)
    return (
      <div>
        <span className="figure-title">{t(id)}</span>
        <Skeleton width={90} height={28} />
      </div>
    )
  const total = sum(tiles, 'total')
  const offline = sum(tiles, 'offline')
  const waiting = sum(tiles, 'waiting')
  const online = sum(tiles, 'online')
  const silent = sum(tiles, 'silent')
  const words = [
    silent > 0 && t('counts.silent', { count: silent }),
    offline > 0 && t('counts.offline', { count: offline }),
    waiting > 0 && t('counts.waiting', { count: waiting }),
  ].filter(Boolean)
  return (
    <ScreenLink needs="devices" href={`/network/${networkId}/devices${kind && `?kind=${kind}`}`}>
      <span className="figure-title">{t(id)}</span>
      {total === 0 ? (
        <span className="figure muted">{t('none')}</span>
      ) : (
        <>
          <span className="figure">
            <Count value={online} />
            <small>{t('ofOnline', { count: total })}</small>
          </span>
          <span className="figure-foot">
            <Pips counts={{ online, offline, unknown: total - online - offline }} />
            {words.length > 0 && <span className="muted">{words.join(', ')}</span>}
          </span>
        </>
      )}
    </ScreenLink>
  )
}

function ClientsTile({ range }: { range: Range }) {
  const t = useTranslations('dashboard.tiles')
  const { networkId } = useParams<{ networkId: string }>()
  const { data, error } = useNetworkCall('dashboard/clients-count', { range }, { live: true })
  return (
    <ScreenLink needs="clients" href={`/network/${networkId}/clients`}>
      <span className="figure-title">{t('clients')}</span>
      <span className="figure">
        {data ? (
          data.total === undefined ? (
            <Unknown />
          ) : (
            <Count value={data.total} />
          )
        ) : error ? (
          '–'
        ) : (
          <Skeleton width={60} height={28} />
        )}
      </span>
      {data?.total !== undefined && (
        <span className="figure-foot muted number">
          {data.wifi !== undefined && <span>{t('wifi', { count: data.wifi })}</span>}
          {data.wired !== undefined && <span>{t('wired', { count: data.wired })}</span>}
        </span>
      )}
    </ScreenLink>
  )
}

/** Who is in as a guest, and by what; of a network that never had one nothing. */
function GuestsTile() {
  const t = useTranslations('dashboard.tiles')
  const methods = useTranslations('dashboard.guestMethods')
  const { networkId } = useParams<{ networkId: string }>()
  const { data } = useNetworkCall('dashboard/guest-counts', {}, { live: true })
  if (!data?.ever) return null
  const nameOf = (code: number) => guestMethodNames.find(name => guestMethods[name] === code) ?? 'free'
  const inside = data.methods.filter(one => one.in > 0).toSorted((a, b) => b.in - a.in)
  return (
    <ScreenLink needs="guests" href={`/network/${networkId}/guests/status`}>
      <span className="figure-title">{t('guests')}</span>
      <span className="figure">
        <Count value={data.in} />
        <small>{t('guestsToday', { came: data.came, refused: data.refused })}</small>
      </span>
      <span className="figure-foot muted number">
        {inside.slice(0, 3).map(one => (
          <span key={one.method}>{t('guestsBy', { count: one.in, method: methods(nameOf(one.method)) })}</span>
        ))}
        {data.visits > 0 && <span>{t('guestsEntered', { entered: data.entered, visits: data.visits })}</span>}
      </span>
    </ScreenLink>
  )
}
