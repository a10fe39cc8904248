import type { IconName } from '@/app/_ui/icon'
import type { LikelyKind } from '@/model/found-host'

/** The icon of what something is, or likely is. */
export const likelyIcons = {
  ap: 'ap',
  switch: 'switch',
  gateway: 'gateway',
  firewall: 'firewall',
  printer: 'printer',
  camera: 'camera',
  phone: 'phone',
  computer: 'display',
  storage: 'inventory',
  media: 'media',
} as const satisfies Record<LikelyKind, IconName>
