import * as z from 'zod'
import type { InputMode, Source, Widget } from '@/model/field-meta'
import type { MediaSort } from '@/model/guests/media'
import type { Kind } from '@/model/kind'
import { type AnyKindId, isLibrary, isManagers, type KindId, kinds, listAddress } from '@/model/registry'

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
  /** A choice is a list to open. */
  menu?: true
  /** A strong one is made at a click. */
  generated?: true
  /** A VLAN, by the LAN that has it. */
  ofLan?: true
  /** A channel of this band, by those that are allowed. */
  band?: '2g' | '5g' | '6g'
  /** How the text is typed. */
  input?: InputMode
  /** What a file of the field is. */
  sort?: MediaSort
  /** Of what the devices have. */
  source?: Source
  /** Columns of `rows`; their keys are where their words stand: `leases.columns.ip`. */
  columns?: readonly FieldSpec[]
}
/** A kind as its form draws it. */
export type KindSpec<I extends AnyKindId = AnyKindId> = {
  id: I
  /** Namespace of its words. */
  area: string
  /** `beside`: those that stand on one line with the field before them. */
  sections: readonly { id: string; fields: readonly string[]; beside: readonly string[]; fold?: true }[]
  fields: Readonly<Record<string, FieldSpec>>
}
export type FormSpec<I extends KindId = KindId> = KindSpec<I> & {
  title: string
  max: number
  /** A person gives the order, and it counts. */
  ordered: boolean
  /** Given to devices: all, groups, or single ones. */
  assigned: boolean
  /** The manager keeps to it itself, at once: there is nothing to push. */
  managers: boolean
  columns: readonly string[]
  /** Below /network/{n}/. */
  paths: { list: string; form: string }
}

type Property = {
  widget?: Widget
  unit?: string
  kind?: string
  default?: unknown
  enum?: string[]
  items?: { enum?: string[] } & Partial<Schema>
  minimum?: number
  maximum?: number
  maxItems?: number
  source?: Source
  input?: InputMode
  sort?: MediaSort
  menu?: true
  generated?: true
  ofLan?: true
  band?: '2g' | '5g' | '6g'
}
type Schema = { properties: Record<string, Property>; required?: string[] }

function fieldSpecs({ properties, required }: Schema, within = ''): FieldSpec[] {
  return Object.entries(properties).map(([key, property]): FieldSpec => {
    const { widget = 'text', unit, kind, default: otherwise, enum: own, items, minimum, maximum, maxItems } = property
    const choices = own ?? items?.enum
    const max = maximum ?? maxItems
    return {
      key: `${within}${key}`,
      widget,
      required: required?.includes(key) ?? false,
      ...(unit && { unit }),
      ...(kind && { kind: kind as KindId }),
      ...(property.source && { source: property.source }),
      ...(property.input && { input: property.input }),
      ...(property.sort && { sort: property.sort }),
      ...(property.menu && { menu: property.menu }),
      ...(property.generated && { generated: property.generated }),
      ...(property.ofLan && { ofLan: property.ofLan }),
      ...(property.band && { band: property.band }),
      ...(otherwise !== undefined && { default: otherwise }),
      ...(choices && { choices }),
      ...(minimum !== undefined && { min: minimum }),
      ...(max !== undefined && { max }),
      ...(items?.properties && { columns: fieldSpecs(items as Schema, `${within}${key}.columns.`) }),
    }
  })
}

/** The schema of what comes in leaves out the default of what is transformed, as a colour is. */
function withDefault({ fields }: Kind, field: FieldSpec): FieldSpec {
  const declared = fields.shape[field.key]
  if (field.default !== undefined || !(declared instanceof z.ZodDefault)) return field
  return { ...field, default: declared.def.defaultValue }
}

/** A kind as its form draws it, from its JSON Schema and the metadata in it. */
export function kindSpec<I extends AnyKindId>(id: I, kind: Kind): KindSpec<I> {
  const schema = z.toJSONSchema(kind.fields, { io: 'input', unrepresentable: 'any' }) as unknown as Schema
  return {
    id,
    area: kind.area,
    sections: kind.sections.map(section => ({
      id: section.id,
      ...(section.fold && { fold: section.fold }),
      fields: section.fields.map(place => place.key),
      beside: section.fields.filter(place => place.beside).map(place => place.key),
    })),
    fields: Object.fromEntries(fieldSpecs(schema).map(field => [field.key, withDefault(kind, field)])),
  }
}

/** The same with what its list needs. */
export function formSpec<I extends KindId>(id: I, kind: Kind): FormSpec<I> {
  return {
    ...kindSpec(id, kind),
    title: kind.title,
    max: kind.max,
    ordered: kind.ordered ?? false,
    assigned: !kind.single && !isLibrary(id),
    managers: isManagers(id),
    columns: kind.columns,
    paths: { list: listAddress(id), form: kinds[id].form },
  }
}
