'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { useClock } from '@/app/_ui/clock'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { type StateName, Status } from '@/app/_ui/status'

type Told = CallOutput<'guests/announced/get'>
type State = Told['result'][number]['state']

// On a phone the table scrolls inside its card: it has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

const shown = {
  told: 'online',
  push: 'warning',
  stale: 'failed',
  off: 'offline',
  unknown: 'offline',
  noGateway: 'offline',
  unread: 'unknown',
  names: 'offline',
  way: 'offline',
  cannot: 'offline',
} as const satisfies Partial<Record<State, StateName>>
const isShown = (state: State): state is keyof typeof shown => Object.hasOwn(shown, state)

function About({ name }: { name: Told['name'] }) {
  const t = useTranslations('profiles.portal.announced')
  const clock = useClock()
  if ('name' in name) {
    const values = { name: name.name, date: clock.date(name.ends) }
    return <p className="padded soft">{name.known ? t('allowed', values) : t('own', values)}</p>
  }
  const date = name.ends === undefined ? '' : clock.date(name.ends)
  return <p className="padded soft">{t(`why.${name.why}`, { date, names: (name.names ?? []).join(', ') })}</p>
}

/** Whether phones are told of the portal by DHCP, or why not, for each LAN network that has one. */
export function Announced() {
  const t = useTranslations('profiles.portal.announced')
  const call = useNetworkCall('guests/announced/get', {}, { live: true })
  if (call.error && !call.data) return <ErrorState error={call.error} onRetry={() => void call.mutate()} />
  if (!call.data) return <SkeletonLines lines={2} />
  const { name, result } = call.data
  if (result.length === 0) return undefined
  return (
    <Card title={t('title')} className="mt-4">
      <About name={name} />
      <div className="table-scroll" {...scrolled}>
        <table className="data-table plain" aria-label={t('title')}>
          <thead>
            <tr>
              {(['network', 'portal', 'state'] as const).map(key => (
                <th key={key} scope="col">
                  {t(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {result.map(({ id, name: network, portal, state }) => (
              <tr key={id}>
                <td>
                  <bdi className="medium">{network}</bdi>
                </td>
                <td>
                  <bdi>{portal}</bdi>
                </td>
                <td>
                  <Status state={isShown(state) ? shown[state] : 'offline'}>
                    {isShown(state) ? t(`states.${state}`) : t('states.why')}
                  </Status>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
