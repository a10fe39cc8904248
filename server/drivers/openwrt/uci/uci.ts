import type { NativeBlock } from '../../driver'
import { quote } from '../../shell'

/** A section's options in the order in which they are set; a list is several words; undefined ones are left out. */
export type Options = readonly (readonly [option: string, value: string | readonly string[] | undefined])[]

/** A text as a part of a section's name. */
export const safe = (text: string) => text.replace(/[^A-Za-z0-9]/g, '_')

/** A section as `uci show` prints it. `name`: `network.lw_lan20`. */
export function uciBlock(name: string, type: string, options: Options, more: Partial<NativeBlock> = {}): NativeBlock {
  const lines = options.flatMap(([option, value]) => {
    if (value === undefined || value.length === 0) return []
    return [`${name}.${option}=${typeof value === 'string' ? quote(value) : value.map(quote).join(' ')}`]
  })
  return { id: `uci:${name}`, text: [`${name}=${type}`, ...lines].join('\n'), ...more }
}
