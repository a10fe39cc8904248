import * as z from 'zod'
import { ipv4Text, segment4 } from '@/model/addresses'
import { internetSource } from '@/model/internet/source'
import { wan } from '@/model/internet/wan'
import { lan } from '@/model/lan/lan'
import { policyRoute } from '@/model/traffic/policy-route'
import { staticRoute } from '@/model/traffic/static-route'
import type { DesiredDocument } from '../driver'
import { documentsOf } from './documents'
import type { Uplink } from './wans'

export type StaticRoute = { id: string; name: string; destination: string; gateway: string; metric: number }
export type PolicyRoute = {
  id: string
  name: string
  source?: string
  destination?: string
  metric: number
  wan: Pick<Uplink, 'name' | 'interface' | 'vlan'>
}

const enabled = (documents: readonly DesiredDocument[]) => documents.filter(one => one.data.enabled !== false)

export const staticRoutes = (documents: readonly DesiredDocument[]): StaticRoute[] =>
  documentsOf({ id: staticRoute.id, fields: staticRoute.fields }, enabled(documents), one =>
    Number(one.metric),
  ) as unknown as StaticRoute[]

// What a renderer gets in place of the reference is the way's own data.
const withWan = policyRoute.fields.extend({ wan: z.object(wan.fields.shape) })

/** By rank: the first that fits decides (rule N19). */
export const policyRoutes = (documents: readonly DesiredDocument[]): PolicyRoute[] =>
  documentsOf({ id: policyRoute.id, fields: withWan }, enabled(documents), one =>
    Number(one.metric),
  ) as unknown as PolicyRoute[]

/** Whose traffic takes which ways. `segments`: of its networks and its own, normalised. */
export type InternetSource = {
  id: string
  name: string
  segments: string[]
  wans: Pick<Uplink, 'name' | 'interface' | 'vlan'>[]
  mode: 'failover' | 'balance'
  strict: boolean
}

const withWays = internetSource.fields.extend({
  wans: z.array(z.object(wan.fields.shape)).default([]),
  lans: z.array(z.object(lan.fields.shape)).default([]),
})

const segmentText = (address: string): string => {
  const segment = segment4(address)
  return segment ? `${ipv4Text(segment.first)}/${segment.prefix}` : address
}

/** By name: no two have a segment in common. */
export const internetSources = (documents: readonly DesiredDocument[]): InternetSource[] =>
  documentsOf({ id: internetSource.id, fields: withWays }, enabled(documents), one => String(one.name)).map(one => {
    const { id, name, lans, sources, wans, mode, strict } = one as unknown as InternetSource & {
      lans: { address: string }[]
      sources: string[]
    }
    const segments = [...lans.map(network => segmentText(network.address)), ...sources]
    return { id, name, segments: [...new Set(segments)], wans, mode, strict }
  })
