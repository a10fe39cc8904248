'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { Note } from '@/app/_ui/note'

export type Health = NonNullable<CallOutput<'clients/info'>['health']>
type Sign = Health['signs'][number]

const isReason = (sign: Sign): sign is Sign & { state: 'fair' | 'poor' } => sign.state !== 'fine'

/** Why a Wi-Fi client is not well connected; of one that is, nothing needs to be said. */
export function Quality({ health }: { health: Health | undefined }) {
  const t = useTranslations('clients.health')
  if (!health || health.state === 'fine') return null
  return (
    <div className="client-quality">
      <Note tone={health.state === 'poor' ? 'bad' : 'warn'} title={t(`titles.${health.state}`)}>
        {health.signs.filter(isReason).map(({ what, state, value, bound }) => (
          <span key={what} className="reason">
            {t(`${what}.${state}`, { value, bound })}
          </span>
        ))}
      </Note>
    </div>
  )
}
