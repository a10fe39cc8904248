import { useHeld } from '@/app/_api/may'
import type { Authority } from '@/model/authority'
import { isKindId, kinds } from '@/model/registry'

/** May the person who looks change settings of this kind? */
export function useMayEditKind(): (kind: string) => boolean {
  const held = useHeld()
  return kind => isKindId(kind) && held.includes(`${kinds[kind].authority}_edit` as Authority)
}
