import * as z from 'zod'
import { isInherited, type Kind } from '@/model/kind'
import { type AnyKindId, isKindId, isLibrary, loadKind, ownKindAt } from '@/model/registry'
import { ownFields } from '@/model/single'
import type { AnyCall } from '@/server/kernel/call'
import { ownEnvelope } from '@/server/kernel/own-fields'
import { singleEnvelope } from '@/server/networks/settings/calls'
import { documentEnvelope } from '@/server/networks/settings/documents'

/** JSON Schema 2020-12, as much of it as is handled here. */
export type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  [key: string]: unknown
}
type Words = { networkId: string; kept: string }

/** What forms know of a field, of no use to a caller. */
const drawn = ['widget', 'unit', 'rule', 'kind', 'deviceOnly', 'made', 'source', 'perDevice', 'input', 'menu', 'sentTo']

const schemaOf = (type: z.ZodType): Schema => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      for (const key of drawn) delete jsonSchema[key]
    },
  })
  return schema as Schema
}

/** A stored secret comes back as {set: true}: sent so, it stays. */
const withKept = (schema: Schema, secrets: readonly string[], description: string): Schema => {
  const kept = { type: 'object', properties: { set: { const: true } }, required: ['set'], description }
  const masked = secrets.map(key => [key, { anyOf: [{ ...schema.properties?.[key], writeOnly: true }, kept] }] as const)
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(masked) } }
}

const envelopeOf = (kind: Kind) =>
  isInherited(kind)
    ? singleEnvelope
    : kind.single
      ? ownEnvelope
      : isLibrary(kind.id)
        ? documentEnvelope.omit({ assign: true })
        : documentEnvelope

/** The fields of a kind beside those that every save has. */
function savedSchema(kind: Kind, words: Words): Schema {
  const fields = withKept(schemaOf(isInherited(kind) ? ownFields(kind) : kind.fields), kind.secrets, words.kept)
  const around = schemaOf(envelopeOf(kind))
  return {
    type: 'object',
    properties: { ...around.properties, ...fields.properties },
    required: [...(around.required ?? []), ...(fields.required ?? [])],
    additionalProperties: false,
  }
}

/** The kind that a call saves. */
function savedAt(path: string): AnyKindId | undefined {
  const [own, verb] = ownKindAt(path) ?? []
  if (own) return verb === 'save' ? own : undefined
  const [, id = ''] = /^settings\/(\w+)\/save$/.exec(path) ?? []
  return isKindId(id) ? id : undefined
}

/** What goes into a call, with the network where it is about one. */
export async function inputSchema(call: AnyCall, words: Words): Promise<Schema> {
  const id = savedAt(call.path)
  const own = id ? savedSchema(await loadKind(id), words) : schemaOf(call.input)
  if (call.scope !== 'network') return own
  const networkId = { type: 'integer', description: words.networkId }
  return { ...own, properties: { networkId, ...own.properties } }
}
