'use client'
import { useLocale, useTranslations } from 'next-intl'
import { memo } from 'react'
import { linkSpeed } from '@/app/_ui/format'
import type { Way } from './paths'
import { carries, isDown, type NamedLink, speedOf } from './wiring'

const fast = 10e9
const usual = 1e9

/** A class for how wide it is drawn: by its speed, where one is known. */
function widthOf(speed: number | undefined): string {
  if (speed === undefined) return 'untold'
  if (speed >= fast) return 'fast'
  return speed >= usual ? 'usual' : 'slow'
}

type Props = { link: NamedLink; way: Way; row: boolean; vlan: number | undefined; chosen: boolean }

function classOf({ link, vlan, chosen }: Props, speed: number | undefined): string {
  const carried = vlan === undefined ? undefined : carries(link, vlan)
  return [
    'topo-link',
    link.certainty,
    widthOf(speed),
    link.extra && 'extra',
    isDown(link) && 'down',
    chosen && 'chosen',
    vlan !== undefined && (carried ? 'carries' : 'aside'),
  ]
    .filter(Boolean)
    .join(' ')
}

const same = (a: Props, b: Props) =>
  a.way.path === b.way.path &&
  a.row === b.row &&
  classOf(a, speedOf(a.link)) === classOf(b, speedOf(b.link)) &&
  speedOf(a.link) === speedOf(b.link)

/** A link: its dashes say how certain it is, its width how fast. Keys reach it by its devices and by the list. */
export const MapLink = memo((props: Props) => {
  const { link, way, row } = props
  const t = useTranslations('topology')
  const locale = useLocale()
  const speed = speedOf(link)
  const told = speed === undefined ? undefined : linkSpeed(speed, locale)
  const word = isDown(link)
    ? t('map.down')
    : link.certainty === 'somewhere'
      ? '?'
      : told && `${told.value} ${told.unit}`
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group takes no focus
    <g className={classOf(props, speed)} data-link={link.key} aria-hidden="true">
      <path className="topo-halo" d={way.path} />
      <path className="topo-line" d={way.path} />
      <path className="topo-grip" d={way.path} />
      {word && !row && (
        <text className="topo-speed" x={way.label.x} y={way.label.y} textAnchor="middle" dominantBaseline="central">
          {word}
        </text>
      )}
    </g>
  )
}, same)
