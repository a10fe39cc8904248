import type { NativeBlock } from '../../driver'
import { prefix } from '../uci/package'
import { quotedWords } from '../uci/sections'
import { uciBlock } from '../uci/uci'

const start = `${prefix}led_`

/**
 * A section of ours for each light, after the system's own: /etc/init.d/led applies them in their order, and gives a
 * light back what it did before when it is started without ours.
 */
export function darkLights(lights: readonly string[], about: Partial<NativeBlock>): NativeBlock[] {
  const named = new Map(lights.map(name => [`${start}${name.replace(/[^A-Za-z0-9]/g, '_')}`, name] as const))
  return [...named].sort().map(([section, name]) =>
    uciBlock(
      `system.${section}`,
      'led',
      [
        ['name', name],
        ['sysfs', name],
        ['trigger', 'none'],
        ['default', '0'],
      ],
      about,
    ),
  )
}

/** The light that a section of ours is about. */
export function lightOf({ id, text }: NativeBlock): string | undefined {
  const value = id.startsWith(`uci:system.${start}`) && /^system\.\w+\.sysfs=(.*)$/m.exec(text)?.[1]
  return value ? quotedWords(value)[0]?.slice(1, -1) : undefined
}
