import { mesh as kind, type MeshFields } from '@/model/wifi/mesh'
import type { DesiredDocument, Warning } from '../driver'
import type { WarningCode } from '../words'
import { switchedOn } from './documents'

/** What is set for the mesh, where a device is to be in one. */
export const meshSettings = (documents: readonly DesiredDocument[]) => switchedOn<MeshFields>(kind, documents)

export const aboutMesh = { kind: kind.id, document: kind.id }
export const meshWarning = (code: WarningCode, values: Warning['values'] = {}): Warning => ({
  ...aboutMesh,
  code,
  values,
})
