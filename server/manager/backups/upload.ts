import { randomUUID } from 'node:crypto'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { keyFileOf } from '@/db/generation'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { loadKey, secretsOf } from '@/server/kernel/secrets'
import { keyIdOf } from './key-wrap'
import { withScratch } from './scratch'
import { placeOf } from './service'
import { backupFolder } from './storage'
import { freeName } from './store'
import { unpackArchive } from './unpack'

/** The most that an uploaded backup may have. */
export const uploadedBytes = 4096 * 1024 * 1024

/** `passphrase`: its key is inside, under one; `ours`: this data folder has the key anyway. Else it cannot be restored here. */
export type Uploaded = {
  name: string
  /** What the manager that made it was called. */
  manager: string
  /** Unix ms. */
  createdAt: number
  version: string
  passphrase: boolean
  ours: boolean
}

/** What of a disk a backup takes on its way: the file, what is unpacked to look at it, and the data that it becomes. */
const timesItsSize = 3
const megabyte = 1024 * 1024
type Room = { bytes: number; free: number }

/** How large a backup may be for all of its way to fit on the disk of a folder. */
async function roomIn(folder: string): Promise<Room> {
  const { bavail, bsize } = await statfs(/* turbopackIgnore: true */ folder)
  const free = bavail * bsize
  return { bytes: Math.min(uploadedBytes, Math.floor(free / timesItsSize)), free }
}

const refuseSize = (bytes: number, { free }: Room): never =>
  fail('backupNoSpace', { needed: Math.ceil((bytes * timesItsSize) / megabyte), free: Math.floor(free / megabyte) })

/** A body whose size nobody announced, or more than was announced. */
function noMoreThan(room: Room) {
  return async function* (body: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > room.bytes) refuseSize(bytes, room)
      yield chunk
    }
  }
}

/** Stores a request's body as a backup of the folder, after it was unpacked and looked at; refuses as `unpackArchive`. */
export async function takeUpload(runtime: Runtime, request: Request): Promise<Uploaded> {
  if (!request.body) return fail('backupForeign', { reason: 'empty' })
  const folder = backupFolder(runtime)
  const partial = `${folder}/upload-${randomUUID()}.partial`
  try {
    const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
    const room = await roomIn(folder)
    const announced = Number(request.headers.get('content-length') ?? 0)
    if (announced > room.bytes) refuseSize(announced, room)
    await pipeline(body, noMoreThan(room), createWriteStream(/* turbopackIgnore: true */ partial, { mode: 0o600 }))
    const place = placeOf(runtime)
    const manifest = await withScratch(place.data, scratch => unpackArchive(partial, scratch, place.migrations))
    const stored = freeName(folder, manifest.name, manifest.createdAt)
    renameSync(/* turbopackIgnore: true */ partial, /* turbopackIgnore: true */ `${folder}/${stored}`)
    runtime.bus.emit({ topic: 'backups' })
    const own = keyIdOf(secretsOf(loadKey(keyFileOf(place.data, place.generation))))
    return {
      name: stored,
      manager: manifest.name,
      createdAt: manifest.createdAt,
      version: manifest.version,
      passphrase: manifest.key !== undefined,
      ours: manifest.keyId === own,
    }
  } finally {
    rmSync(/* turbopackIgnore: true */ partial, { force: true })
  }
}
