import * as z from 'zod'
import type { Authority } from '../authority'

// What a dashboard is put together of: tiles in their order, each as wide as a person wants it.

export const tileIds = [
  ...(['counts', 'throughput', 'attention', 'alerts', 'wan', 'clients', 'clientsOverTime'] as const),
  ...(['topDevices', 'topSsids', 'topClients', 'topWebsites', 'channels'] as const),
] as const
export type TileId = (typeof tileIds)[number]

/** What a person must be allowed besides the dashboard to be offered a tile. */
const needs: Partial<Record<TileId, Authority>> = { topWebsites: 'records' }
export const mayTile = (id: TileId, authorities: ReadonlySet<Authority>): boolean => {
  const needed = needs[id]
  return needed === undefined || authorities.has(needed)
}

/** Columns of twelve, on a screen that is wide enough; a phone shows all tiles below each other. */
export const tileSizes = { narrow: 4, half: 6, wide: 8, full: 12 } as const
export type TileSize = keyof typeof tileSizes
const sizes = Object.keys(tileSizes) as [TileSize, ...TileSize[]]

const tile = z.strictObject({ id: z.enum(tileIds), size: z.enum(sizes) })
export type Tile = z.output<typeof tile>
export const tiles = z.array(tile).max(tileIds.length)

/** A strip of figures: it is not to be read in a third of the page. */
export const sizesOf = (id: TileId): readonly TileSize[] => (id === 'counts' ? ['full'] : sizes)

const tileOf = (id: TileId, size: TileSize = 'narrow'): Tile => ({ id, size })

/** Narrow tiles in rows of three; what is left for the last row shares its width. */
function inRows(ids: readonly TileId[]): Tile[] {
  const over = ids.length % 3
  const last: TileSize = over === 1 ? 'full' : over === 2 ? 'half' : 'narrow'
  return ids.map((id, at) => tileOf(id, at >= ids.length - over ? last : 'narrow'))
}

type There = {
  gateways: boolean
  wifi: boolean
  /** Whether look-ups of names are recorded. */
  websites?: boolean
}

/** What is shown to who chose nothing: of a network without gateways nothing of the internet, without Wi-Fi nothing of that. */
export function defaultTiles({ gateways, wifi, websites = false }: There): Tile[] {
  const more: (TileId | false)[] = [
    ...[!gateways && ('alerts' as const), 'clients' as const, 'topDevices' as const],
    ...[wifi && ('topSsids' as const), wifi && ('channels' as const), wifi && ('topClients' as const)],
    websites && ('topWebsites' as const),
  ]
  const found = more.filter(id => id !== false)
  // Internet first: how it is, and beside it what needs a person.
  const first = gateways
    ? [tileOf('wan', 'wide'), tileOf('attention'), tileOf('throughput', 'wide'), tileOf('alerts')]
    : [tileOf('throughput', 'wide'), tileOf('attention')]
  return [tileOf('counts', 'full'), ...first, ...inRows(found)]
}

/** What of a stored list can still be shown: a tile that is none any more, twice or in a size it has not is left out or mended. */
export function readTiles(stored: unknown): Tile[] | undefined {
  const parsed = z.array(z.unknown()).safeParse(stored)
  if (!parsed.success) return undefined
  const found = new Map<TileId, Tile>()
  for (const one of parsed.data) {
    const { success, data } = tile.safeParse(one)
    if (!success || found.has(data.id)) continue
    const own = sizesOf(data.id)
    found.set(data.id, own.includes(data.size) ? data : { ...data, size: own[0] ?? 'full' })
  }
  return [...found.values()]
}
