'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { CallOutput } from '@/app/_api/client'
import type { Client } from '@/app/_shared/clients/client'
import { OnDevice, Wired } from '@/app/_shared/clients/columns'
import { Card, KeyValues } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Bits, Bytes, Maybe, useDuration, Value } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { kinds } from '@/model/registry'

type Words = ReturnType<typeof useTranslations<'clients'>>
type Limit = { download?: string; upload?: string } | undefined
type Row = readonly [string, ReactNode] | false

const limitWords = ({ download, upload }: NonNullable<Limit>, t: Words): string =>
  [download && t('detail.limitDown', { rate: download }), upload && t('detail.limitUp', { rate: upload })]
    .filter(Boolean)
    .join(', ')

function Unknown() {
  const t = useTranslations('clients.detail')
  return <span className="muted">{t('unknown')}</span>
}

/** By what it is judged to be what it is, or why not. */
function Signs({ client: { signs = [], icon, kind } }: { client: CallOutput<'clients/info'> }) {
  const t = useTranslations('clients')
  if (icon) return <p className="muted fine-print client-signs">{t('signs.chosen')}</p>
  if (signs.length === 0) return null
  return (
    <div className="muted fine-print client-signs">
      {t(kind ? 'signs.by' : 'signs.unclear')}
      <ul>
        {signs.map(one => (
          <li key={one.sign}>
            {t('signs.one', { sign: t(`signs.names.${one.sign}`), value: one.value, kind: t(`kinds.${one.kind}`) })}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What it used of the time that it may be connected, by which policy, and when that begins anew. */
function TimeUsed({ time }: { time: NonNullable<CallOutput<'clients/info'>['time']> }) {
  const t = useTranslations('clients.detail')
  const { networkId } = useParams<{ networkId: string }>()
  const duration = useDuration()
  const { policy, name, usedMs, allowedMs, resetsAt } = time
  const used = usedMs < 60_000 ? t('timeLess') : duration(usedMs / 1000)
  const words = { used, allowed: duration(allowedMs / 1000) }
  return (
    <>
      {t('timeUsed', words)}
      <div>
        <ScreenLink needs="settings_firewall" href={`/network/${networkId}/${kinds.timePolicy.form}?id=${policy}`}>
          {name}
        </ScreenLink>
      </div>
      <div className="muted fine-print">
        {resetsAt === undefined
          ? t('timeNever')
          : t.rich('timeResets', { time: () => <Moment key="resets" at={resetsAt} /> })}
      </div>
    </>
  )
}

/** What is known of it, wherever it is. */
export function About({ client }: { client: CallOutput<'clients/info'> }) {
  const t = useTranslations('clients')
  const { mac, vendor, hostname, note, firstSeenAt, limit } = client
  const is = client.icon ?? client.kind
  const rows: Row[] = [
    [
      t('mac'),
      <span key="mac" className="mac">
        {mac.toUpperCase()}
      </span>,
    ],
    [t('vendor'), vendor ?? <span className="muted">{t(client.private ? 'privateMac' : 'detail.unknown')}</span>],
    [t('detail.kind'), is ? t(`kinds.${is}`) : <Unknown key="kind" />],
    [t('detail.hostname'), hostname ?? <span className="muted">{t('detail.unknown')}</span>],
    [
      t('address'),
      <Maybe key="ip" value={client.address}>
        {value => (
          <span className="client-addresses">
            {(client.addresses ?? [value]).map(one => (
              <span key={one} className="ip">
                {one}
              </span>
            ))}
          </span>
        )}
      </Maybe>,
    ],
    firstSeenAt !== undefined && [t('detail.firstSeen'), <Moment key="first" at={firstSeenAt} />],
    limit !== undefined && [t('detail.limit'), limitWords(limit, t)],
    client.time !== undefined && [t('detail.time'), <TimeUsed key="time" time={client.time} />],
    [t('detail.note'), note ?? <span className="muted">{t('detail.none')}</span>],
  ]
  return (
    <Card title={t('detail.facts')} pad>
      <KeyValues rows={rows} />
      <Signs client={client} />
      {client.private && <p className="muted fine-print client-private">{t('privateHelp')}</p>}
    </Card>
  )
}

/** What it moves now; of a wired one whose port is not its own nobody knows. */
function moving({ wifi, downBps, upBps }: Client, t: Words): Row[] {
  const rates = [
    [t('detail.downNow'), downBps],
    [t('detail.upNow'), upBps],
  ] as const
  if (!wifi && downBps === undefined)
    return [
      [
        t('now'),
        <span className="muted" key="now">
          {t('detail.shared')}
        </span>,
      ],
    ]
  return rates.map(([name, value]) => [
    name,
    <Maybe key={name} value={value ?? null}>
      {known => <Bits value={known} />}
    </Maybe>,
  ])
}

/** How fast frames pass, and how much passed since it connected. */
function passing({ downRate, upRate, downOctets, upOctets }: Client, t: Words): Row[] {
  const rates: [string, number | undefined][] = [
    [t('detail.downRate'), downRate],
    [t('detail.upRate'), upRate],
  ]
  const octets: [string, number | undefined][] = [
    [t('detail.down'), downOctets],
    [t('detail.up'), upOctets],
  ]
  return [
    ...rates.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, <Bits key={name} value={value} />] as const],
    ),
    ...octets.map(
      ([name, value]) =>
        [
          name,
          <Maybe key={name} value={value ?? null}>
            {known => <Bytes value={known} />}
          </Maybe>,
        ] as const,
    ),
  ]
}

/** Where it is connected, and how well; or where it was last. */
export function Connection({ client }: { client: Client }) {
  const t = useTranslations('clients')
  const { online, wifi, ssid, vlan, signalDbm, retryPercent, since } = client
  const live = online && wifi
  const rows: Row[] = [
    [t(online ? 'device' : 'lastOn'), <OnDevice key="device" client={client} />],
    [t('on'), ssid ?? <Wired key="port" {...client} />],
    vlan !== undefined && [t('vlan'), vlan],
    live && [
      t('signal'),
      <Maybe key="s" value={signalDbm ?? null}>
        {value => <Value value={String(value)} unit="dBm" />}
      </Maybe>,
    ],
    live &&
      retryPercent !== undefined && [t('detail.retries'), <Value key="r" value={String(retryPercent)} unit="%" />],
    ...(online ? moving(client, t) : []),
    ...(live ? passing(client, t) : []),
    [t(online ? 'detail.since' : 'lastSeen'), <Moment key="since" at={since} />],
  ]
  return (
    <Card title={t('detail.connection')} pad>
      <KeyValues rows={rows} />
    </Card>
  )
}
