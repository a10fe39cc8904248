'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { LinkButton } from '@/app/_ui/button'
import { Link } from '@/app/_ui/link'
import { Note } from '@/app/_ui/note'
import { isKindId, kinds as places, scopedAddress } from '@/model/registry'
import { reviewPath } from './configuration'

/** Where what was imported is set from now on; whether the next push would change it. */
export function Outcome({ outcome, deviceId }: { outcome: CallOutput<'import/add'>; deviceId: number }) {
  const t = useTranslations('import')
  const kinds = useTranslations('kinds' as 'wifi')
  const { networkId } = useParams<{ networkId: string }>()
  const word = (kind: string) => kinds(kind as 'ssid.one')
  const links = [
    ...outcome.documents.map(({ id, kind, name }) => ({
      title: `${word(kind)} “${name}”`,
      path: isKindId(kind) ? `${places[kind].form}?id=${id}` : '',
    })),
    ...outcome.kinds.map(kind => ({
      title: word(kind),
      path: isKindId(kind) ? scopedAddress(kind, `device=${deviceId}`) : '',
    })),
  ]
  const differs = outcome.differs.length > 0
  return (
    <Note
      tone={differs ? 'warn' : 'ok'}
      title={differs ? t('add.differs') : t('add.done')}
      {...(differs && { actions: <LinkButton href={reviewPath(networkId)}>{t('page.review')}</LinkButton> })}
    >
      {t('add.where')}{' '}
      {links.map(({ title, path }, at) => (
        <span key={path}>
          {at > 0 && ', '}
          <Link href={`/network/${networkId}/${path}`}>{title}</Link>
        </span>
      ))}
    </Note>
  )
}
