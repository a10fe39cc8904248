import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Age, useNow } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Bar } from '@/app/_ui/meters'
import { Status } from '@/app/_ui/status'
import { Bytes, Duration, Stale } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { guestStates } from '@/model/guests/session'
import { type Guest, isIn, methodOf } from './rows'

/** So little of the whole is left that it ends soon. */
const soon = 0.1

function State({ guest }: { guest: Guest }) {
  const t = useTranslations('guests')
  if (!guest.blocked || guest.why === 'blocked') return <OwnState guest={guest} />
  return (
    <span className="row">
      <OwnState guest={guest} />
      <span className="soft whitespace-nowrap">{t('why.blocked')}</span>
    </span>
  )
}

function OwnState({ guest }: { guest: Guest }) {
  const t = useTranslations('guests')
  if (guest.stale) return <Status state="stale">{t('states.stale')}</Status>
  if (isIn(guest)) return <Status state="online">{t('states.in')}</Status>
  const failed = guest.state === guestStates.failed
  return (
    <span className="row">
      <Status state={failed ? 'failed' : 'offline'}>{t(failed ? 'states.failed' : 'states.was')}</Status>
      {guest.why && <span className="soft whitespace-nowrap">{t(`why.${guest.why}`)}</span>}
    </span>
  )
}

function Method({ guest }: { guest: Guest }) {
  const t = useTranslations('guests')
  const method = methodOf(guest.method)
  return (
    <span className="row">
      {method ? t(`methods.${method}`) : guest.method}
      {guest.label && (
        <bdi className="soft truncated" title={guest.label}>
          {guest.label}
        </bdi>
      )}
      {guest.provisional && <span className="soft">{t('provisional')}</span>}
    </span>
  )
}

/** What is left of a whole, with the bar below; nothing of who is not in. */
function Left({ share, children }: { share: number; children: React.ReactNode }) {
  const low = share < soon
  return (
    <span className="guest-left">
      {low ? <Status state="warning">{children}</Status> : children}
      <Bar slim share={share} {...(low && { tone: 'warning' })} />
    </span>
  )
}

/** What the guest answered to the portal's questions, in one line; all of it on hover, and in the file. */
function Answers({ guest: { answers } }: { guest: Guest }) {
  const text = answers.map(({ label, value }) => `${label}: ${value}`).join(' · ')
  return (
    <bdi className="truncated" title={text}>
      {text}
    </bdi>
  )
}

function TimeLeft({ guest }: { guest: Guest }) {
  const now = useNow()
  if (!isIn(guest) || now === undefined) return null
  const seconds = Math.max(0, (guest.ends - now) / 1000)
  const all = Math.max(1, (guest.ends - guest.started) / 1000)
  return (
    <Left share={seconds / all}>
      <Duration seconds={seconds} />
    </Left>
  )
}

function DataLeft({ guest }: { guest: Guest }) {
  const t = useTranslations('guests')
  const { bytes, byteLimit, stale } = guest
  if (!isIn(guest)) return null
  if (byteLimit === null) return <span className="soft">{t('noLimit')}</span>
  const left = Math.max(0, byteLimit - bytes)
  const shown = <Bytes value={left} />
  return <Left share={left / Math.max(1, byteLimit)}>{stale ? <Stale>{shown}</Stale> : shown}</Left>
}

function Gateway({ guest: { device } }: { guest: Guest }) {
  const { networkId } = useParams<{ networkId: string }>()
  if (!device) return null
  return (
    <ScreenLink needs="devices" href={`/network/${networkId}/devices/detail?id=${device.id}`}>
      {device.name}
    </ScreenLink>
  )
}

export function useColumns(): Column<Guest>[] {
  const t = useTranslations('guests')
  const column = (key: string, cell: Column<Guest>['cell'], more: Partial<Column<Guest>> = {}): Column<Guest> => ({
    ...{ key, sort: true, cell, ...more },
    label: t(`columns.${key as 'mac'}`),
  })
  return [
    column('state', guest => <State guest={guest} />, { fixed: true, phone: 'state', wrap: true, width: '220px' }),
    column('mac', guest => <span className="mac name">{guest.mac.toUpperCase()}</span>, {
      fixed: true,
      phone: 'title',
    }),
    column('method', guest => <Method guest={guest} />, { phone: 'extra' }),
    column('answers', guest => <Answers guest={guest} />, { sort: false, until: 1480 }),
    column('address', guest => <span className="ip">{guest.address}</span>, { until: 1320 }),
    column('started', guest => <Age at={guest.started} />, { until: 1180 }),
    column('ends', guest => <TimeLeft guest={guest} />, { numeric: true, phone: 'key', phoneUnit: t('left') }),
    column('bytes', guest => <Bytes value={guest.bytes} />, { numeric: true }),
    column('dataLeft', guest => <DataLeft guest={guest} />, { numeric: true, sort: false, until: 1180 }),
    column('lan', guest => <bdi>{guest.lanName}</bdi>, { until: 1480 }),
    column('device', guest => <Gateway guest={guest} />, { off: true }),
  ]
}
