'use client'
import { useTranslations } from 'next-intl'
import { useId } from 'react'

const certainties = ['certain', 'derived', 'inferred', 'somewhere', 'manual'] as const
const widths = ['fast', 'usual', 'slow', 'untold'] as const

/** What dashes and widths mean. */
export function Legend() {
  const t = useTranslations('topology')
  const id = useId()
  return (
    <details className="topo-legend">
      <summary>{t('legend.label')}</summary>
      <p id={`${id}-certainty`}>{t('legend.certainty')}</p>
      <ul aria-labelledby={`${id}-certainty`}>
        {certainties.map(one => (
          <li key={one}>
            <Sample look={`${one} usual`} />
            {t(`certainty.${one}.name`)}
          </li>
        ))}
        <li>
          <Sample look="certain usual extra" />
          {t('extra.name')}
        </li>
      </ul>
      <p id={`${id}-speed`}>{t('legend.speed')}</p>
      <ul aria-labelledby={`${id}-speed`}>
        {widths.map(one => (
          <li key={one}>
            <Sample look={`certain ${one}`} />
            {t(`legend.${one}`)}
          </li>
        ))}
      </ul>
    </details>
  )
}

const Sample = ({ look }: { look: string }) => (
  <svg className="topo-sample" viewBox="0 0 34 8" width="34" height="8" aria-hidden="true">
    <g className={`topo-link ${look}`}>
      <path className="topo-line" d="M0 4H34" />
    </g>
  </svg>
)

/** The dash of a link as it is drawn, beside its word in lists. */
export const LinkSample = ({ certainty, extra }: { certainty: (typeof certainties)[number]; extra?: boolean }) => (
  <Sample look={`${certainty} usual${extra ? ' extra' : ''}`} />
)
