'use client'
import { useTranslations } from 'next-intl'
import { memo } from 'react'
import { Icon, type IconName } from '@/app/_ui/icon'
import { Glyph, states } from '@/app/_ui/status'
import { kindIcon, shapeOf } from '../../../devices/_parts/device-state'
import type { Place } from './layout'
import { useNodeWords } from './node-words'
import type { WiringNode } from './wiring'

const iconOf = (node: WiringNode): IconName => {
  if (node.kind === 'device') return kindIcon(node.shown.kind)
  return node.kind === 'unmanaged' ? 'switch' : 'help'
}

/** As many characters as there is room for; the whole name is in the node's title. */
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

type Props = { node: WiringNode; place: Place; chosen: boolean; stop: boolean }

/** What is drawn of it, as one word: it is drawn anew when that changes, and not with each reading. */
const look = ({ node, place, chosen, stop }: Props) =>
  JSON.stringify([node.kind === 'device' ? { ...node.shown, statusAt: 0 } : node, place, chosen, stop])

/** A node of the drawing: what it is, its name, its state, and how many clients it has. */
export const MapNode = memo(
  (props: Props) => {
    const { node, place, chosen, stop } = props
    const t = useTranslations('topology')
    const { name, under, title } = useNodeWords(node)
    const [shape, tone] = node.kind === 'device' ? states[shapeOf(node.shown)] : states.unknown
    const { x, y, width, height, row } = place
    const clients = node.kind === 'device' && node.shown.clients !== undefined ? node.shown.clients : undefined
    const marks = ['topo-node', node.kind, row && 'row', chosen && 'chosen'].filter(Boolean).join(' ')
    return (
      // biome-ignore lint/a11y/useSemanticElements: a drawing has no button element
      <g
        className={marks}
        data-node={node.id}
        role="button"
        tabIndex={stop ? 0 : -1}
        aria-pressed={chosen}
        transform={`translate(${x} ${y})`}
      >
        <title>{title}</title>
        <rect width={width} height={height} rx={row ? 5 : 8} />
        {/* A picture in a drawing is as large as what holds it. */}
        <svg
          x={row ? 7 : 12}
          y={height / 2 - 8}
          width="16"
          height="16"
          viewBox="0 0 24 24"
          className="topo-icon"
          aria-hidden="true"
        >
          <Icon name={iconOf(node)} />
        </svg>
        <text x={row ? 28 : 36} y={row ? height / 2 : 18} className="topo-name" dominantBaseline="central">
          {cut(name, row ? 15 : 16)}
        </text>
        {!row && under && (
          <text x={36} y={33} className="topo-under" dominantBaseline="central">
            {cut(under, 22)}
          </text>
        )}
        {row && clients !== undefined && (
          <text x={width - 24} y={height / 2} className="topo-under" textAnchor="end" dominantBaseline="central">
            {t('map.count', { count: clients })}
          </text>
        )}
        <svg
          x={width - (row ? 19 : 24)}
          y={height / 2 - 6}
          width="12"
          height="12"
          viewBox="0 0 12 12"
          className={`status ${tone}`}
          aria-hidden="true"
        >
          <Glyph shape={shape} />
        </svg>
      </g>
    )
  },
  (before, after) => look(before) === look(after),
)
