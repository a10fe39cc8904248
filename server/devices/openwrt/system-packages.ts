import type { Package } from './package'

const reload = (...services: string[]) =>
  services.map(name => `{ [ ! -x /etc/init.d/${name} ] || /etc/init.d/${name} reload; }`).join(' && ')

/** Clock, log and name. The firewall's hours and cron hold the zone that they were loaded with. */
export const system: Package = {
  name: 'system',
  reload: `${reload('system', 'log', 'sysntpd', 'firewall')}; { [ ! -x /etc/init.d/cron ] || /etc/init.d/cron restart || :; }`,
  lists: ['server'],
  secrets: [],
}

/** Connections that are open stay so. */
export const dropbear: Package = { name: 'dropbear', reload: reload('dropbear'), lists: [], secrets: [] }
