'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '@/app/_ui/button'
import { type Direction, type Layout, nextPlace } from './layout'
import { Legend } from './legend'
import { MapLink } from './map-link'
import { MapNode } from './map-node'
import { wayOf } from './paths'
import { useHands } from './use-hands'
import { useView } from './use-view'
import type { Chosen, NamedLink, WiringNode } from './wiring'

type Props = {
  svg: RefObject<SVGSVGElement | null>
  nodes: readonly WiringNode[]
  links: readonly NamedLink[]
  layout: Layout
  /** Links that carry it stand out; undefined: all are alike. */
  vlan: number | undefined
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  /** The node to go to; a new object goes there once more. */
  goal: { node: string } | undefined
  /** Nodes can be moved: by so many points, and let go at the `end`. */
  onMove?: (id: string, dx: number, dy: number, end: boolean) => void
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}
const steps: Readonly<Record<Direction, readonly [number, number]>> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
}
const panStep = 80
const moveStep = 10

/** The network drawn: pan, zoom, and a press on a node or a link says what is known of it. */
export function TopologyMap(props: Props) {
  const { svg, nodes, links, layout, vlan, chosen, onChoose, goal, onMove } = props
  const t = useTranslations('topology.map')
  const plane = useRef<SVGGElement>(null)
  const view = useView({ svg, plane }, layout)
  const [at, setAt] = useState<string>()
  // One stop of the Tab key: the node one was at, else the chosen one, else the first.
  const stop = [at, chosen && 'node' in chosen ? chosen.node : undefined].find(one => one && layout.places.has(one))
  const focused = stop ?? layout.places.keys().next().value
  useHands(svg, {
    view,
    onNode: node => onChoose({ node }),
    onLink: link => onChoose({ link }),
    ...(onMove && { onMove }),
  })
  useEffect(() => {
    if (!goal) return
    view.show(goal.node, true)
    setAt(goal.node)
  }, [goal, view])
  const focus = (id: string) => {
    setAt(id)
    view.show(id)
    nodeIn(svg.current, id)?.focus({ preventScroll: true })
  }
  const arrow = (event: KeyboardEvent, direction: Direction, own: string | undefined): boolean => {
    const [x, y] = steps[direction]
    if (event.shiftKey) view.pan(-x * panStep, -y * panStep)
    else if (!own || (event.altKey && !onMove)) return false
    else if (event.altKey) onMove?.(own, x * moveStep, y * moveStep, true)
    else {
      const next = nextPlace(layout, own, direction)
      if (next) focus(next)
    }
    return true
  }
  const press = (event: KeyboardEvent) => {
    const own = (event.target as Element).closest<SVGElement>('[data-node]')?.dataset.node
    const direction = directions[event.key]
    const act = keyAct(event.key, view)
    if (direction) {
      if (!arrow(event, direction, own)) return
    } else if ((event.key === 'Enter' || event.key === ' ') && own) onChoose({ node: own })
    else if (act) act()
    else return
    event.preventDefault()
  }
  return (
    <div className={onMove ? 'topo-map arranging' : 'topo-map'}>
      <svg ref={svg} className="topo-drawing" onKeyDown={press}>
        <title>{t('label')}</title>
        <g ref={plane}>
          <Drawing {...{ nodes, links, layout, vlan, chosen, focused }} />
        </g>
      </svg>
      <div className="topo-tools">
        <IconButton icon="plus" label={t('zoomIn')} onClick={() => view.zoom(1.3)} />
        <IconButton icon="minus" label={t('zoomOut')} onClick={() => view.zoom(1 / 1.3)} />
        <IconButton icon="fit" label={t('fit')} onClick={view.fit} />
      </div>
      <Legend />
    </div>
  )
}

// Compared, not selected by: a stranger's own name may hold any character.
const nodeIn = (svg: SVGSVGElement | null, id: string) =>
  [...(svg?.querySelectorAll<SVGElement>('[data-node]') ?? [])].find(one => one.dataset.node === id)

function keyAct(key: string, view: ReturnType<typeof useView>): (() => void) | undefined {
  if (key === '+' || key === '=') return () => view.zoom(1.3)
  if (key === '-') return () => view.zoom(1 / 1.3)
  if (key === '0') return view.fit
  return undefined
}

type Drawn = Pick<Props, 'nodes' | 'links' | 'layout' | 'vlan' | 'chosen'> & { focused: string | undefined }

const Drawing = memo(({ nodes, links, layout, vlan, chosen, focused }: Drawn) => {
  const ways = useMemo(() => waysOf(links, layout), [links, layout])
  const names = useMemo(() => new Map(nodes.map(node => [node.id, node])), [nodes])
  return (
    <>
      <g>
        {ways.map(({ link, way, row }) => (
          <MapLink
            key={link.key}
            link={link}
            way={way}
            row={row}
            vlan={vlan}
            chosen={chosen !== undefined && 'link' in chosen && chosen.link === link.key}
          />
        ))}
      </g>
      <g>
        {[...layout.places].map(([id, place]) => {
          const node = names.get(id)
          const own = chosen !== undefined && 'node' in chosen && chosen.node === id
          return node && <MapNode key={id} node={node} place={place} chosen={own} stop={id === focused} />
        })}
      </g>
    </>
  )
})

/** Ways of links, the extra ones last: they lie over the others. */
function waysOf(links: readonly NamedLink[], { places }: Layout) {
  const counts = new Map<string, number>()
  return links
    .toSorted((a, b) => Number(a.extra ?? false) - Number(b.extra ?? false))
    .flatMap(link => {
      const [upper, lower] = [places.get(link.upper.node), places.get(link.lower.node)]
      if (!upper || !lower) return []
      const pair = [link.upper.node, link.lower.node].toSorted().join(' ')
      const nth = counts.get(pair) ?? 0
      counts.set(pair, nth + 1)
      return [{ link, row: lower.row, way: wayOf(upper, lower, { extra: link.extra === true, nth }) }]
    })
}
