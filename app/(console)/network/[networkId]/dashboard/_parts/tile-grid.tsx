'use client'
import dynamic from 'next/dynamic'
import type { ComponentType } from 'react'
import { Card } from '@/app/_ui/card'
import { SkeletonLines } from '@/app/_ui/states'
import type { Tile, TileId } from '@/model/dashboard/tiles'
import { Alerts } from './alerts'
import { Attention } from './attention'
import { Clients } from './clients'
import type { Range } from './ranges'
import { Throughput } from './throughput'
import { Counts } from './tiles'
import { TopDevices } from './top-devices'

type TileProps = { range: Range }

const loading = () => (
  <Card>
    <SkeletonLines lines={6} />
  </Card>
)
const late = (load: () => Promise<ComponentType<TileProps>>) => dynamic<TileProps>(load, { loading })

const parts: Record<TileId, ComponentType<TileProps>> = {
  ...{ counts: Counts, throughput: Throughput, attention: Attention, alerts: Alerts },
  ...{ clients: Clients, topDevices: TopDevices },
  wan: late(async () => (await import('./wan')).Wan),
  clientsOverTime: late(async () => (await import('./clients-over-time')).ClientsOverTime),
  topSsids: late(async () => (await import('./top-lists')).TopSsids),
  topClients: late(async () => (await import('./top-lists')).TopClients),
  topWebsites: late(async () => (await import('./top-websites')).TopWebsites),
  channels: late(async () => (await import('./channels')).Channels),
}

/** The tiles in their order, each as wide as it is wanted; below each other where there is no room. */
export function TileGrid({ tiles, range }: { tiles: readonly Tile[]; range: Range }) {
  return (
    <div className="dashboard">
      {tiles.map(({ id, size }) => {
        const Part = parts[id]
        return (
          <div key={id} className={`tile tile-${size}`} data-tile={id}>
            <Part range={range} />
          </div>
        )
      })}
    </div>
  )
}
