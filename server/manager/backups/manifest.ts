import * as z from 'zod'
import type { Secrets } from '@/server/kernel/secrets'
import { headPattern } from '@/server/manager/changelog/head'

/** Version of the archive's own layout. Of 1 were those without `files/`. */
export const archiveFormat = 2

/** The end of the year 9999: what has a date, and a file name made of it. */
const lastMs = 253_402_300_799_999

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))
/** Exactly so many bytes. */
const base64 = (bytes: number) =>
  z.base64().refine(text => Buffer.from(text, 'base64').length === bytes, 'invalidFormat')

/** The data folder's key under a passphrase: argon2id (RFC 9106) makes the key that AES-256-GCM wraps it with. */
export const wrappedKeyShape = z.strictObject({
  // What is made here is 64 MiB and three passes; a file must not make its reader do much more.
  memoryKib: z.int().min(8192).max(131_072),
  passes: z.int().min(1).max(6),
  salt: base64(16),
  iv: base64(12),
  tag: base64(16),
  body: base64(32),
})
export type WrappedKey = z.output<typeof wrappedKeyShape>

/** The only files an archive may hold beside manifest.json: databases, and what people gave (server/kernel/files). */
export const archivePattern = /^((lanward|history)\.sqlite|files\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/
export const isStoredFile = (path: string): boolean => path.startsWith('files/')

const fileShape = z.strictObject({ sha256: hex(64), bytes: z.int().min(0) })

/** manifest.json, the first file of a backup. */
export const manifestShape = z.strictObject({
  product: z.literal('lanward'),
  format: z.literal([1, archiveFormat]),
  version: z.string().max(40),
  /** Time stamp (ms) of the last migration the database has. */
  schema: z.int().min(1),
  name: z.string().max(128),
  /** Unix ms. */
  createdAt: z.int().min(0).max(lastMs),
  automatic: z.boolean(),
  /** Tells which key sealed the secrets inside, not the key. */
  keyId: hex(16),
  key: wrappedKeyShape.optional(),
  /** The changelog's newest entry: whoever has this file can tell whether the log was cut after it. */
  changelogHead: z.string().regex(headPattern).optional(),
  rows: z.record(z.string().max(64), z.int().min(0)),
  /** By their paths in the archive. */
  files: z.record(z.string().regex(archivePattern), fileShape),
  /** HMAC-SHA256 of all the rest under the key of the secrets inside; absent before there was one. */
  mac: hex(64).optional(),
})
export type Manifest = z.output<typeof manifestShape>

/** The same text for the same values, in whatever order they were written. */
const canonical = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, one]) => one !== undefined)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, one]) => [key, canonical(one)]),
      )
    : value

/** What shows that whoever made the archive has its key: it covers the hashes of all files. */
export const macOf = (secrets: Secrets, { mac: _, ...manifest }: Manifest): string =>
  secrets.mac(JSON.stringify(canonical(manifest)), 'backup manifest')

/**
 * Where an archive comes from. `here`: this manager made it as it is. `elsewhere`: one with another key did. `unknown`: it
 * says nothing that could be proven, as one from before that, or one that somebody changed.
 */
export type Origin = 'here' | 'elsewhere' | 'unknown'
