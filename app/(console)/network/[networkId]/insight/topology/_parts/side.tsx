'use client'
import { useTranslations } from 'next-intl'
import { DeviceSide } from './device-side'
import { Frame } from './frame'
import { LinkSide } from './link-side'
import { useNames } from './node-words'
import { OtherSide } from './other-side'
import type { Chosen, NamedLink, WiringNode } from './wiring'

type Props = {
  nodes: ReadonlyMap<string, WiringNode>
  links: readonly NamedLink[]
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  /** Shows a node in the drawing. */
  onGo: (node: string) => void
}

/** What is known of the node or the link that was chosen. What is gone meanwhile says so. */
export function Side({ nodes, links, chosen, onChoose, onGo }: Props) {
  const t = useTranslations('topology.side')
  const nameOf = useNames(nodes)
  if (!chosen) return null
  const close = () => onChoose(undefined)
  if ('link' in chosen) {
    const link = links.find(one => one.key === chosen.link)
    if (!link) return <Frame title={t('gone')} onClose={close} about={chosen.link} />
    return <LinkSide {...{ link, nodes, nameOf, onChoose }} onClose={close} />
  }
  const node = nodes.get(chosen.node)
  if (!node) return <Frame title={t('gone')} onClose={close} about={chosen.node} />
  const parts = { links, nameOf, onChoose, onGo, onClose: close }
  return node.kind === 'device' ? (
    <DeviceSide key={node.id} node={node} nodes={nodes} {...parts} />
  ) : (
    <OtherSide key={node.id} node={node} {...parts} />
  )
}
