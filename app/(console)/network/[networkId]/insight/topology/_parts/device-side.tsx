'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button, LinkButton } from '@/app/_ui/button'
import { KeyValues } from '@/app/_ui/card'
import { Link } from '@/app/_ui/link'
import { Loaded } from '@/app/_ui/states'
import { Count, Maybe } from '@/app/_ui/value'
import { DeviceStatus } from '../../../devices/_parts/device-state'
import { LinkByHand } from './by-hand'
import { Frame } from './frame'
import { NodeLinks } from './node-links'
import { type Chosen, type DeviceNode, linksAt, type NamedLink, type WiringNode } from './wiring'

type Props = {
  node: DeviceNode
  nodes: ReadonlyMap<string, WiringNode>
  links: readonly NamedLink[]
  nameOf: (id: string) => string
  onChoose: (chosen: Chosen) => void
  onGo: (node: string) => void
  onClose: () => void
}

/** What is known of a device: its state, its way up, its links and its clients. */
export function DeviceSide({ node, nodes, links, nameOf, onChoose, onGo, onClose }: Props) {
  const t = useTranslations('topology')
  const mayEdit = useMay('devices_edit')
  const [linking, setLinking] = useState(false)
  const devices = useTranslations('devices')
  const { networkId } = useParams<{ networkId: string }>()
  const { shown } = node
  const [first] = linksAt(links, node.id)
  const above = first?.uplink && first.lower.node === node.id ? first.upper : undefined
  return (
    <Frame title={shown.name} onClose={onClose} about={node.id}>
      <div className="padded">
        <KeyValues
          rows={[
            [devices('columns.status'), <DeviceStatus key="status" device={shown} />],
            [devices('columns.kind'), devices(`kind.${shown.kind}`)],
            shown.model !== '' && [devices('columns.model'), shown.model],
            [
              t('side.above'),
              above ? (
                <Button key="above" small kind="ghost" onClick={() => onGo(above.node)}>
                  {nameOf(above.node)}
                </Button>
              ) : node.gateway ? (
                t('side.gateway')
              ) : (
                <span key="above" className="muted">
                  {t('side.noneAbove')}
                </span>
              ),
            ],
            [
              devices('columns.clients'),
              <Maybe key="clients" value={shown.clients}>
                {value => <Count value={value} />}
              </Maybe>,
            ],
          ]}
        />
        <div className="topo-acts">
          <LinkButton href={`/network/${networkId}/devices/detail?id=${shown.id}`} icon="devices">
            {t('side.open')}
          </LinkButton>
          <LinkButton href={`/network/${networkId}/insight/topology/detail?id=${shown.id}`}>{t('side.way')}</LinkButton>
          {mayEdit && (
            <Button icon="link" onClick={() => setLinking(true)}>
              {t('hand.open')}
            </Button>
          )}
        </div>
      </div>
      <NodeLinks node={node.id} {...{ links, nameOf, onChoose }} />
      {linking && <LinkByHand node={node} nodes={nodes} onClose={() => setLinking(false)} />}
      <DeviceClients device={shown.id} count={shown.clients} />
    </Frame>
  )
}

const most = 20

/** The clients of a device, once they are asked for. */
function DeviceClients({ device, count }: { device: number; count: number | undefined }) {
  const t = useTranslations('topology.side')
  const [open, setOpen] = useState(false)
  const may = useMay('clients')
  if (!may || !count) return null
  return (
    <section className="topo-part">
      <h3>
        <Button small icon="clients" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'hideClients' : 'showClients', { count })}
        </Button>
      </h3>
      {open && <ClientList device={device} />}
    </section>
  )
}

function ClientList({ device }: { device: number }) {
  const t = useTranslations('topology.side')
  const { networkId } = useParams<{ networkId: string }>()
  const call = useNetworkCall('clients/list', { deviceId: device, page: 1, pageSize: most }, { live: true })
  return (
    <Loaded call={call} lines={3}>
      {({ result, total }) => (
        <>
          <ul className="topo-clients">
            {result.map(one => (
              <li key={one.mac}>
                <Link href={`/network/${networkId}/clients/detail?id=${one.mac}`}>
                  {one.name ?? <span className="mac">{one.mac.toUpperCase()}</span>}
                </Link>
                <span className="muted fine-print">{one.ssid ?? one.port}</span>
              </li>
            ))}
          </ul>
          {total > result.length && (
            <Link href={`/network/${networkId}/clients?device=${device}`}>{t('allClients', { count: total })}</Link>
          )}
        </>
      )}
    </Loaded>
  )
}
