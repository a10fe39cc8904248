'use client'
import { useTranslations } from 'next-intl'
import { deviceState } from '@/model/device-state'
import { shapeOf } from '../../../devices/_parts/device-state'
import { nodeName, type WiringNode } from './wiring'

/** What a node is called and what is said below; `title` is all of it in words, as whoever hears the drawing gets it. */
export function useNodeWords(node: WiringNode): { name: string; under: string; title: string } {
  const t = useTranslations('topology')
  const devices = useTranslations('devices')
  const name = nodeName(node) ?? t('unmanaged.name')
  if (node.kind !== 'device') {
    const under = node.kind === 'unmanaged' ? t('unmanaged.under') : t('stranger.under')
    return { name, under, title: `${name}, ${under}` }
  }
  const { shown } = node
  const clients = shown.clients === undefined ? undefined : t('clients', { count: shown.clients })
  const state = devices(`status.${deviceState(shown)}`)
  const open = shapeOf(shown) === 'warning' && devices('openLogin')
  return {
    name,
    under: clients ?? shown.model,
    title: [name, devices(`kind.${shown.kind}`), shown.model, state, open, clients].filter(Boolean).join(', '),
  }
}

/** The name of a node by its number; of one that is not there any more, nothing. */
export function useNames(nodes: ReadonlyMap<string, WiringNode>): (id: string) => string {
  const t = useTranslations('topology')
  return id => {
    const node = nodes.get(id)
    return node ? (nodeName(node) ?? t('unmanaged.name')) : ''
  }
}
