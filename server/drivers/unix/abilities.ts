import type { Abilities } from '@/model/abilities'

/** Systems that are reached over SSH and written whole. */
export const unixAbilities: Abilities = {
  settings: 'all',
  import: true,
  hostKey: true,
  tellsOwn: true,
  kick: true,
  diagnose: true,
}
