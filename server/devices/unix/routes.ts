import * as z from 'zod'
import { wan } from '@/model/internet/wan'
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
