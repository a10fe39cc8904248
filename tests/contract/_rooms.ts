/** The rooms of server/ from the ground up. A room imports what stands before it, types included; a new area is one line. */
export const rooms = [
  'kernel',
  'mail',
  'history',
  'drivers',
  'worker',
  'people/accounts',
  'people/keys',
  'people/access',
  'people/roles',
  'people/users',
  'people/federation',
  'people/sign-in',
  'notify/webhooks',
  'notify/alerts',
  'networks/groups',
  'networks/settings',
  'networks/sharing',
  'networks/networks',
  'networks/organizations',
  'devices/link',
  'devices/adoption',
  'devices/change',
  'devices/inventory',
  'devices/clients',
  'insight/dashboard',
  'manager/api',
  'manager/changelog',
  'manager/backups',
  'manager/general',
  'manager/command',
  'manager/certificate',
  'manager/feedback',
  'manager/guide',
  'manager/licences',
  'manager/mail',
  'manager/wizard',
  'door',
] as const

export type Room = (typeof rooms)[number]

/** The room of a file of server/, by the longest name that fits; undefined where the list has none. */
export const roomOf = (path: string): Room | undefined =>
  rooms.filter(room => path.startsWith(`server/${room}/`)).toSorted((a, b) => b.length - a.length)[0]
