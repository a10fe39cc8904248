'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { saveFile } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { Button } from '@/app/_ui/button'
import { Menu } from '@/app/_ui/menu'
import type { Wiring } from './wiring'

type Props = { svg: RefObject<SVGSVGElement | null>; wiring: Wiring | undefined; drawn: boolean }

/** Takes the topology away: drawn as it is on the screen, or all that is known of it as JSON. */
export function ExportMenu({ svg, wiring, drawn }: Props) {
  const t = useTranslations('topology')
  const { networkId } = useParams<{ networkId: string }>()
  const may = useMay('exports')
  if (!may || !wiring || wiring.nodes.length === 0) return null
  const name = `topology-${networkId}-${new Date().toISOString().slice(0, 10)}`
  const draw = async (png: boolean) => {
    if (!svg.current) return
    const { saveDrawing } = await import('./export')
    await saveDrawing(svg.current, t('title'), name, png)
  }
  const json = () =>
    saveFile(`${name}.json`, new Blob([`${JSON.stringify(wiring, null, 2)}\n`], { type: 'application/json' }))
  const pictures = [
    { label: t('export.svg'), onSelect: () => void draw(false) },
    { label: t('export.png'), onSelect: () => void draw(true) },
  ]
  return (
    <Menu
      trigger={<Button icon="download">{t('export.label')}</Button>}
      groups={[{ actions: [...(drawn ? pictures : []), { label: t('export.json'), onSelect: json }] }]}
    />
  )
}
