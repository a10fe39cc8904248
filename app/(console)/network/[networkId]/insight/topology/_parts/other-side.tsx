'use client'
import { useTranslations } from 'next-intl'
import { KeyValues } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import { Frame } from './frame'
import { NodeLinks } from './node-links'
import { type Chosen, type NamedLink, nodeName, type WiringNode } from './wiring'

type Other = Exclude<WiringNode, { kind: 'device' }>
type Props = {
  node: Other
  links: readonly NamedLink[]
  nameOf: (id: string) => string
  onChoose: (chosen: Chosen) => void
  onClose: () => void
}

/** A neighbour that is not managed, by what it tells; or a switch that tells nothing, by what shows that it is there. */
export function OtherSide({ node, links, nameOf, onChoose, onClose }: Props) {
  const t = useTranslations('topology')
  return (
    <Frame title={nodeName(node) ?? t('unmanaged.name')} onClose={onClose} about={node.id}>
      <div className="padded topo-told">
        {node.kind === 'unmanaged' ? <Unmanaged macs={node.macs} /> : <Stranger node={node} />}
      </div>
      <NodeLinks node={node.id} {...{ links, nameOf, onChoose }} />
    </Frame>
  )
}

function Unmanaged({ macs }: { macs: readonly string[] }) {
  const t = useTranslations('topology.unmanaged')
  return (
    <>
      <Note tone="info">{t('why')}</Note>
      {macs.length > 0 && (
        <>
          <p>{t('macs', { count: macs.length })}</p>
          <ul className="topo-macs">
            {macs.map(mac => (
              <li key={mac} className="mac">
                {mac.toUpperCase()}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Stranger({ node }: { node: Extract<Other, { kind: 'stranger' }> }) {
  const t = useTranslations('topology.stranger')
  const { address, mac, description, capabilities } = node
  return (
    <>
      <Note tone="info">{t('why')}</Note>
      <KeyValues
        rows={[
          address !== undefined && [
            t('address'),
            <span key="address" className="ip">
              {address}
            </span>,
          ],
          mac !== undefined && [
            t('mac'),
            <span key="mac" className="mac">
              {mac.toUpperCase()}
            </span>,
          ],
          capabilities !== undefined && capabilities.length > 0 && [t('capabilities'), capabilities.join(', ')],
          description !== undefined && [t('description'), description],
        ]}
      />
    </>
  )
}
