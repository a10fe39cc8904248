import { getTranslations } from 'next-intl/server'
import { Card } from '@/app/_ui/card'
import { Link } from '@/app/_ui/link'
import type { Authority } from '@/model/authority'
import { authorityOf, loadKind, scopedAddress, singleKindIds } from '@/model/registry'
import { networkSession } from '@/server/people/sign-in/page-session'

type Props = { networkId: string; of: 'group' | 'device'; id: number }

/** Ways to what a device or a group may set differently from what it inherits. Nothing where no such kind exists. */
export async function ScopedSettings({ networkId, of, id }: Props) {
  const { actor } = await networkSession(networkId)
  const held = actor?.authorities ?? new Set<Authority>()
  const readable = singleKindIds.filter(kind => held.has(authorityOf(kind)))
  if (!readable.length) return null
  const t = await getTranslations('form')
  const links = await Promise.all(
    readable.map(async kind => {
      const { area } = await loadKind(kind)
      const title = (await getTranslations(area as 'wifi'))(`${kind as 'ssid'}.title`)
      return { title, href: `/network/${networkId}/${scopedAddress(kind, `${of}=${id}`)}` }
    }),
  )
  return (
    <Card title={t('ownTitle')} pad>
      <p className="muted">{t('ownHelp')}</p>
      <ul className="plain-words">
        {links.map(({ title, href }) => (
          <li key={href}>
            <Link href={href}>{title}</Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
