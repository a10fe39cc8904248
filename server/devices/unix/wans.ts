import { wan as kind, type Wan } from '@/model/internet/wan'
import type { DesiredDocument } from '../driver'
import { documentsOf } from './documents'

export type Uplink = Wan & { id: string }

/** Ways to the internet by rank; their place is their number on the device. */
export const wans = (documents: readonly DesiredDocument[]): Uplink[] =>
  documentsOf({ id: kind.id, fields: kind.fields }, documents, one => Number(one.metric)) as Uplink[]
