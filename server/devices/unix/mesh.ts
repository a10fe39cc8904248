import { mesh as kind, type MeshFields } from '@/model/wifi/mesh'
import type { DesiredDocument, Warning } from '../driver'
import { fieldsOf } from './documents'

/** What is set for the mesh, where a device is to be in one. */
export function meshSettings(documents: readonly DesiredDocument[]): MeshFields | undefined {
  const found = documents.find(document => document.kind === kind.id)
  const set = found && (fieldsOf(kind, found.data) as MeshFields)
  return set?.enabled ? set : undefined
}

export const aboutMesh = { kind: kind.id, document: kind.id }
export const meshWarning = (code: string, values: Warning['values'] = {}): Warning => ({ ...aboutMesh, code, values })
