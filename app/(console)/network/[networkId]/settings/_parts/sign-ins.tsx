'use client'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Age } from '@/app/_ui/clock'
import { EmptyState, ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'

type Row = CallOutput<'radius/sign-ins/list'>['result'][number]
const refreshMs = 10_000
// On a phone the table scrolls inside its card: it has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

/** The last sign-ins at the manager's own RADIUS server. */
export function SignIns() {
  const t = useTranslations('profiles.radiusUser.signIns')
  const input = useMemo(() => ({ pageSize: 10 as const }), [])
  const call = useNetworkCall('radius/sign-ins/list', input, { refreshMs })
  if (call.error && !call.data) return <ErrorState error={call.error} onRetry={() => void call.mutate()} />
  if (!call.data) return <SkeletonLines lines={2} />
  const rows = call.data.result
  return (
    <Card title={t('title')} className="mt-4">
      {rows.length === 0 ? (
        <EmptyState slim title={t('empty')} />
      ) : (
        <div className="table-scroll" {...scrolled}>
          <table className="data-table plain" aria-label={t('title')}>
            <thead>
              <tr>
                {(['name', 'result', 'method', 'device', 'from', 'at'] as const).map(key => (
                  <th key={key} scope="col">
                    {t(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two sign-ins may be the same to the second
                <SignIn key={`${row.at} ${at}`} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function SignIn({ row }: { row: Row }) {
  const t = useTranslations('profiles.radiusUser.signIns')
  const refused = row.why === 'unknown' ? t('unknown') : t('refused')
  return (
    <tr>
      <td>
        <bdi className="medium">{row.name}</bdi>
      </td>
      <td>
        <Status state={row.accepted ? 'online' : 'failed'}>{row.accepted ? t('accepted') : refused}</Status>
      </td>
      <td>{row.eap ?? t('plain')}</td>
      <td dir="ltr">{row.mac}</td>
      <td dir="ltr">{row.from}</td>
      <td>
        <Age at={row.at} />
      </td>
    </tr>
  )
}
