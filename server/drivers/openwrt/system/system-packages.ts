import type { NativeBlock, Warning } from '../../driver'
import { lightOf } from '../ports/leds'
import { followHours } from '../uci/hours'
import type { Package } from '../uci/package'
import { reloadService } from '../uci/reload-service'
import type { OpenwrtSession } from '../uci/session'
import { openReader } from '../uci/ubus'

/** fw3 would start a firewall that its owner stopped, as on many access points. */
const isLoaded = '[ -e /var/run/fw4.state ] || [ -e /var/run/fw3.state ]'

/** A light is off when the kernel says so: the script leaves one out whose trigger needs a module. */
async function verify(session: OpenwrtSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const lights = blocks.flatMap(block => lightOf(block) ?? [])
  if (lights.length === 0) return []
  const reader = await openReader(session.ssh)
  const told = await Promise.all(lights.map(name => reader.run('cat', `/sys/class/leds/${name}/brightness`)))
  return told.every(text => text?.trim() === '0') ? [] : [{ code: 'ledsDown', kind: 'system' }]
}

/** Clock, log and name. The firewall's hours and cron hold the zone that they were loaded with. */
export const system: Package = {
  name: 'system',
  reload: [
    ...['system', 'log', 'sysntpd'].map(name => reloadService(name)),
    `if ${isLoaded}; then ${reloadService('firewall')}; fi`,
    followHours,
    reloadService('cron', 'restart'),
    reloadService('led', 'restart'),
  ].join('\n'),
  lists: ['server'],
  verify,
}

/** Connections that are open stay so. */
export const dropbear: Package = { name: 'dropbear', reload: reloadService('dropbear'), lists: [] }
