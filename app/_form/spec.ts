import * as z from 'zod'
import type { Widget } from '@/model/fields'
import type { Kind } from '@/model/kind'
import { type KindId, kinds } from '@/model/registry'

/** What a form needs to know of a field; plain data, made on the server. */
export type FieldSpec = {
  key: string
  widget: Widget
  unit?: string
  /** Kind that a reference points at. */
  kind?: KindId
  required: boolean
  default?: unknown
  choices?: readonly string[]
  min?: number
  max?: number
}
export type FormSpec = {
  id: KindId
  /** Namespace of its words. */
  area: string
  title: string
  max: number
  columns: readonly string[]
  sections: readonly { id: string; fields: readonly string[] }[]
  fields: Readonly<Record<string, FieldSpec>>
  /** Below /network/{n}/. */
  paths: { list: string; form: string }
}

type Property = {
  widget?: Widget
  unit?: string
  kind?: string
  default?: unknown
  enum?: string[]
  items?: { enum?: string[] }
  minimum?: number
  maximum?: number
}

/** A kind as its list and form draw it, from its JSON Schema and the metadata in it. */
export function formSpec(id: KindId, kind: Kind): FormSpec {
  const schema = z.toJSONSchema(kind.fields, { io: 'input', unrepresentable: 'any' }) as {
    properties: Record<string, Property>
    required?: string[]
  }
  const fields = Object.entries(schema.properties).map(([key, property]): [string, FieldSpec] => [
    key,
    {
      key,
      widget: property.widget ?? 'text',
      required: schema.required?.includes(key) ?? false,
      ...(property.unit && { unit: property.unit }),
      ...(property.kind && { kind: property.kind as KindId }),
      ...(property.default !== undefined && { default: property.default }),
      ...((property.enum ?? property.items?.enum) && { choices: property.enum ?? property.items?.enum }),
      ...(property.minimum !== undefined && { min: property.minimum }),
      ...(property.maximum !== undefined && { max: property.maximum }),
    },
  ])
  return {
    id,
    area: kind.area,
    title: kind.title,
    max: kind.max,
    columns: kind.columns,
    sections: kind.sections.map(section => ({ id: section.id, fields: section.fields.map(place => place.key) })),
    fields: Object.fromEntries(fields),
    paths: { list: kinds[id].list, form: kinds[id].form },
  }
}
