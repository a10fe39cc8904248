import * as z from 'zod'
import { headPattern } from '@/server/manager/changelog/head'

/** Version of the archive's own layout. */
export const archiveFormat = 1

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))
const base64 = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9+/]+=*$/)

/** The data folder's key under a passphrase: argon2id (RFC 9106) makes the key that AES-256-GCM wraps it with. */
export const wrappedKeyShape = z.strictObject({
  memoryKib: z.int().min(8192).max(1_048_576),
  passes: z.int().min(1).max(20),
  salt: base64,
  iv: base64,
  tag: base64,
  body: base64,
})
export type WrappedKey = z.output<typeof wrappedKeyShape>

/** The only files an archive may hold beside manifest.json. */
export const archiveFiles = ['lanward.sqlite', 'history.sqlite'] as const
export type ArchiveFile = (typeof archiveFiles)[number]

const fileShape = z.strictObject({ sha256: hex(64), bytes: z.int().min(0) })

/** manifest.json, the first file of a backup. */
export const manifestShape = z.strictObject({
  product: z.literal('lanward'),
  format: z.literal(archiveFormat),
  version: z.string().max(40),
  /** Time stamp (ms) of the last migration the database has. */
  schema: z.int().min(1),
  name: z.string().max(128),
  /** Unix ms. */
  createdAt: z.int().min(0),
  automatic: z.boolean(),
  /** Tells which key sealed the secrets inside, not the key. */
  keyId: hex(16),
  key: wrappedKeyShape.optional(),
  /** The changelog's newest entry: whoever has this file can tell whether the log was cut after it. */
  changelogHead: z.string().regex(headPattern).optional(),
  rows: z.record(z.string().max(64), z.int().min(0)),
  files: z.partialRecord(z.enum(archiveFiles), fileShape),
})
export type Manifest = z.output<typeof manifestShape>
