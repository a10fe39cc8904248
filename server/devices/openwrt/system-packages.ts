import type { Package } from './package'

/**
 * Each service is told, and what its script ends with is no verdict: it is the end of its last command, which sets the
 * kernel's time zone for one, as a container may not.
 */
const tell = (name: string, verb = 'reload') => `[ ! -x /etc/init.d/${name} ] || /etc/init.d/${name} ${verb} || :`

/** fw3 would start a firewall that its owner stopped, as on many access points. */
const isLoaded = '[ -e /var/run/fw4.state ] || [ -e /var/run/fw3.state ]'

/** Clock, log and name. The firewall's hours and cron hold the zone that they were loaded with. */
export const system: Package = {
  name: 'system',
  reload: [
    ...['system', 'log', 'sysntpd'].map(name => tell(name)),
    `if ${isLoaded}; then ${tell('firewall')}; fi`,
    tell('cron', 'restart'),
  ].join('\n'),
  lists: ['server'],
  secrets: [],
}

/** Connections that are open stay so. */
export const dropbear: Package = { name: 'dropbear', reload: tell('dropbear'), lists: [], secrets: [] }
