'use client'
import { useTranslations } from 'next-intl'
import { Speed, Unknown } from '@/app/_ui/value'
import { LinkSample } from './legend'
import { type Chosen, isDown, linksAt, type NamedLink, speedOf } from './wiring'

type Props = {
  node: string
  links: readonly NamedLink[]
  nameOf: (id: string) => string
  onChoose: (chosen: Chosen) => void
}

/** The links of a node, each of which opens. */
export function NodeLinks({ node, links, nameOf, onChoose }: Props) {
  const t = useTranslations('topology')
  const own = linksAt(links, node)
  return (
    <section className="topo-part">
      <h3>{t('side.links', { count: own.length })}</h3>
      {own.length === 0 && <p className="muted">{t('side.noLinks')}</p>}
      <ul className="topo-links">
        {own.map(link => {
          const [here, there] = link.lower.node === node ? [link.lower, link.upper] : [link.upper, link.lower]
          const speed = speedOf(link)
          return (
            <li key={link.key}>
              <button type="button" className="menu-item" onClick={() => onChoose({ link: link.key })}>
                <LinkSample certainty={link.certainty} extra={link.extra} />
                <span className="topo-linked">
                  <span>
                    {[nameOf(there.node), there.port && t('side.port', { port: there.port })].filter(Boolean).join(' ')}
                    {link.uplink && link.lower.node === node && <span className="muted"> · {t('side.uplink')}</span>}
                  </span>
                  <span className="fine-print">
                    {[here.port && t('side.port', { port: here.port }), t(`certainty.${link.certainty}.name`)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <span className="trail">
                  {isDown(link) ? t('map.down') : speed === undefined ? <Unknown /> : <Speed value={speed} />}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
