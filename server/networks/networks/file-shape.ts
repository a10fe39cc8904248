import * as z from 'zod'
import { presentFields } from '@/model/former-fields'
import type { Data } from '@/model/kind'
import { country, groupName, networkName, note, timezone } from '@/server/kernel/shapes'

// A network's settings as a file: what stands in it, and what is refused before anything is made of it.

const groupShape = z.strictObject({
  id: z.int(),
  parent: z.int().nullable(),
  name: groupName,
  description: note(),
  isDefault: z.boolean().optional(),
})
const asWritten = z.strictObject({
  /** By which others of the file refer to it; without one nothing can. */
  id: z.string().max(64).optional(),
  kind: z.string().max(64),
  fields: z.record(z.string(), z.unknown()),
  all: z.boolean(),
  /** Who gets it; of what exists once, the group that sets it, or none for the network itself. */
  groups: z.array(z.int()).max(1000),
})
const documentShape = asWritten.transform(one => ({
  ...one,
  fields: presentFields(one.kind, one.fields, (was, value) => value(was)),
}))
/** Exactly so many bytes in base64url. */
const bytes = (count: number) =>
  z.base64url().refine(text => Buffer.from(text, 'base64url').length === count, 'invalidFormat')
export const boxShape = z.strictObject({
  salt: bytes(16),
  iv: bytes(12),
  tag: bytes(16),
  body: z.base64url(),
})

export const fileShape = z.strictObject({
  format: z.literal('lanward-network'),
  version: z.literal(1),
  name: networkName,
  country,
  timezone,
  groups: z.array(groupShape).max(5000),
  documents: z.array(documentShape).max(20_000),
  /** Secrets by document, sealed with the passphrase; absent: left out of the file. */
  secrets: boxShape.optional(),
})
export type NetworkFile = z.output<typeof fileShape>
/** Secrets in clear, by the number of their document in the file. */
export type Secrets = Record<number, Data>
export type Whole = Omit<NetworkFile, 'secrets'> & { clear: Secrets }
