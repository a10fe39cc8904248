import type { Abilities } from '@/model/abilities'

/** Systems that are reached over SSH and written whole. */
export const unixAbilities: Abilities = {
  settings: 'all',
  import: true,
  hostKey: true,
  tellsOwn: true,
  // OpenWrt’s radios are the system’s, and those of a mesh need one channel: there they choose themselves.
  channels: false,
  kick: true,
  diagnose: true,
}
