import { createHash } from 'node:crypto'

/** `name` after a prefix; where that is longer than IFNAMSIZ leaves (15 characters), what no other name comes to. */
export function linkName(prefix: string, name: string): string {
  const whole = `${prefix}${name}`
  return whole.length <= 15 ? whole : `${prefix}${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}
