'use client'
import { useParams } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { useClock, useNearTime } from '@/app/_ui/clock'
import { short } from '@/app/_ui/format'
import { Spark } from '@/app/_ui/spark'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { type StateName, Status } from '@/app/_ui/status'
import { Bits, Unknown, Value } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { slotsOf, type Uplink, type UplinkState } from './uplink-slots'

type Overview = CallOutput<'dashboard/wan-overview'>
const marks: Record<UplinkState, StateName> = {
  ...{ online: 'online', degraded: 'warning', offline: 'failed', unknown: 'unknown' },
}
/** Ten minutes each. */
const slots = 72

/** The ways to the internet: how they are, what they carry and lose, and how they were in the last twelve hours. */
export function Wan() {
  const t = useTranslations('dashboard.wan')
  const { networkId } = useParams<{ networkId: string }>()
  const call = useNetworkCall('dashboard/wan-overview', {}, { live: true, refreshMs: 60_000 })
  return (
    <Card
      title={t('title')}
      meta={
        <>
          <ScreenLink needs="dashboard" href={`/network/${networkId}/dashboard/speed-test`}>
            {t('speedTest')}
          </ScreenLink>
          <ScreenLink needs="settings_internet" href={`/network/${networkId}/settings/internet`}>
            {t('settings')}
          </ScreenLink>
        </>
      }
    >
      <Loaded call={call} lines={6}>
        {data =>
          data.result.length === 0 ? (
            <EmptyState slim icon="globe" title={t('empty')}>
              <span>{t('emptyHelp')}</span>
            </EmptyState>
          ) : (
            data.result.map(way => <UplinkPart key={`${way.deviceId} ${way.key}`} way={way} of={data} />)
          )
        }
      </Loaded>
    </Card>
  )
}

function UplinkPart({ way, of }: { way: Uplink; of: Overview }) {
  const t = useTranslations('dashboard.wan')
  const states = useTranslations('dashboard.wan.states')
  return (
    <div className="way">
      <div className="row">
        <Status state={marks[way.state]} label={states(way.state)} />
        <b className="truncated">
          <bdi>{way.name}</bdi>
        </b>
        <span className="end muted fine-print number">{way.address ?? way.deviceName}</span>
      </div>
      {way.since !== undefined && way.state !== 'online' && <Since state={way.state} since={way.since} />}
      {way.by === 'targets' && <Past way={way} of={of} />}
      <dl>
        {way.by === 'targets' && (
          <>
            <Fact name={t('latency')} value={way.latencyMs} unit="ms" past={way.history?.latencyMs} />
            <Fact name={t('jitter')} value={way.jitterMs} unit="ms" />
            <Fact name={t('loss')} value={way.lossPercent} unit="%" />
          </>
        )}
        {way.inBps !== undefined && (
          <div>
            <dt>{t('download')}</dt>
            <dd>
              <Bits value={way.inBps} />
            </dd>
          </div>
        )}
        {way.outBps !== undefined && (
          <div>
            <dt>{t('upload')}</dt>
            <dd>
              <Bits value={way.outBps} />
            </dd>
          </div>
        )}
      </dl>
      {way.by === 'link' && <p className="muted fine-print">{t('linkOnly')}</p>}
    </div>
  )
}

type SinceProps = { state: Exclude<UplinkState, 'online'>; since: number }

/** What is wrong, and since when. */
function Since({ state, since }: SinceProps) {
  const t = useTranslations('dashboard.wan.since')
  const near = useNearTime()
  return <p className="fine-print">{t(state, { at: near(since) })}</p>
}

/** The last twelve hours, one bar for ten minutes; those who do not see it are told the turns. */
function Past({ way, of }: { way: Uplink; of: Overview }) {
  const states = useTranslations('dashboard.wan.states')
  const t = useTranslations('dashboard.wan')
  const clock = useClock()
  const words = way.turns.slice(-12).map(([at, state]) => `${clock.time(Math.max(at, of.from))} ${states(state)}`)
  return (
    <span className="way-past" role="img" aria-label={`${t('past')}: ${words.join(', ') || states('unknown')}`}>
      {slotsOf(way.turns, of.from, of.until, slots).map(slot => (
        <i
          key={slot.from}
          className={slot.state}
          title={`${clock.time(slot.from)} – ${clock.time(slot.until)} ${states(slot.state)}`}
        />
      ))}
    </span>
  )
}

type FactProps = { name: string; value: number | undefined; unit: string; past?: readonly (number | null)[] }

function Fact({ name, value, unit, past }: FactProps) {
  const locale = useLocale()
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {past?.some(one => one !== null) && <Spark values={past} />}
        {value === undefined ? <Unknown /> : <Value value={short(Math.round(value * 10) / 10, locale)} unit={unit} />}
      </dd>
    </div>
  )
}
