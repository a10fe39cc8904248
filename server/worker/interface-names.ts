import type { Interface } from '@/server/drivers/observation'
import { intern } from '@/server/kernel/intern'

type Named = Pick<Interface, 'key' | 'name'>

/**
 * Under what history keeps each interface, in their order: its name, since an ifIndex lasts until the next start only
 * (RFC 2863 3.1.5; net-snmp, RouterOS and IOS without `ifindex persist` number anew). A name that several bear, or that
 * is another's key, says nothing: such interfaces stay with their keys.
 */
export function lastingKeys(interfaces: readonly Named[]): readonly string[] {
  const borne = new Map<string, number>()
  for (const { name } of interfaces) borne.set(name, (borne.get(name) ?? 0) + 1)
  const keys = new Set(interfaces.map(one => one.key))
  const lasts = ({ key, name }: Named) => borne.get(name) === 1 && (name === key || !keys.has(name))
  return intern(interfaces.map(one => (lasts(one) ? one.name : one.key)))
}
