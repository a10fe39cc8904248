import { failDevice } from '@/server/devices/link/errors'
import { type ImportRow, importRows, importStates } from '@/server/devices/link/import-store'
import { isDeviceError } from '@/server/drivers/driver'
import type { ImportedItem, UnmanagedItem } from '@/server/drivers/unmanaged'
import type { UnmanagedWhy } from '@/server/drivers/words'
import { fail } from '@/server/kernel/fail'
import type { ImportState } from '@/server/worker/protocol'
import { masked, secretsIn } from '../plan/diff'
import type { DeviceRow, Engine } from '../plan/plan'

// What runs on a device and is not ours, as a person is shown it.

export const unreachable = (error: unknown): never =>
  isDeviceError(error) && error.reason === 'workerAway'
    ? failDevice(error)
    : fail('deviceUnreachable', { reason: isDeviceError(error) ? error.reason : 'internal' })

/** What the device has that is not ours, read now; those imported among them. */
export const unmanagedOf = (engine: Engine, device: DeviceRow): Promise<UnmanagedItem[]> =>
  engine.transport.unmanaged({ id: device.id, imported: importStates(engine.runtime, device.id) }).catch(unreachable)

export type ShownOption = {
  option: string
  /** The device's own words now, secrets hidden; absent: not set. */
  value?: string
  kind?: string
  field?: string
  /** Why no setting can say its value. */
  why?: UnmanagedWhy
  /** Settings decide it. */
  imported: boolean
  /** What it was before that; absent: not set. */
  former?: string
  /** Released alone: its former value waits for a push. */
  releasing?: true
}
export type ShownItem = Omit<UnmanagedItem, 'options' | 'about'> & {
  options: ShownOption[]
  /** The list document that decides it. */
  document?: string
  importedAt?: number
  by?: string
  /** Released: its former values wait for a push. */
  releasing: boolean
}

const hidden = (text: string): string => masked(text, secretsIn({ blocks: [{ id: '', text }] }))

function shownItem(
  { about: _, ...item }: UnmanagedItem,
  kept: ImportState | undefined,
  row: ImportRow | undefined,
): ShownItem {
  const imported = kept?.options ?? {}
  const options = item.options.map(({ option, value, kind, field, why }) => {
    const former = imported[option]
    return {
      option,
      ...(value !== undefined && { value: hidden(value) }),
      ...(kind !== undefined && { kind, field }),
      ...(why !== undefined && { why }),
      imported: option in imported,
      ...(typeof former === 'string' && { former: hidden(former) }),
      ...(option in (kept?.back ?? {}) && { releasing: true as const }),
    }
  })
  return {
    ...item,
    options,
    ...(row?.document && { document: row.document }),
    ...(row && { importedAt: row.importedAt, by: row.by }),
    releasing: row !== undefined && row.releasedAt !== null,
  }
}

/** What was imported and is not on the device any more. */
const goneItem = ({ id, options }: ImportedItem): UnmanagedItem => ({
  id,
  area: 'other',
  label: id.replace(/^\w+:/, ''),
  state: 'managed',
  why: 'gone',
  options: Object.keys(options).map(option => ({ option })),
})

/** Everything that runs on a device and is not ours, with what was imported of it. Reads the device; changes nothing. */
export async function listImportable(engine: Engine, device: DeviceRow): Promise<ShownItem[]> {
  const { runtime } = engine
  const items = await unmanagedOf(engine, device)
  const rows = new Map(importRows(runtime.db, device.id).map(row => [row.item, row]))
  const kept = new Map(importStates(runtime, device.id).map(one => [one.id, one]))
  const gone = [...kept.values()].filter(one => !items.some(item => item.id === one.id)).map(goneItem)
  return [...items, ...gone].map(item => shownItem(item, kept.get(item.id), rows.get(item.id)))
}
