import type { Rendered, Renderer, RenderInput } from '../driver'
import { systemSettings, wantedParts } from '../unix/system'

/** Clock, log and login lie in sections that the system made itself (`system.@system[0]`, `system.ntp`, dropbear's): none is written. */
function render({ documents }: RenderInput): Rendered {
  const set = systemSettings(documents)
  const parts = set ? wantedParts(set) : []
  return { blocks: [], warnings: parts.map(part => ({ code: `systemOption.${part}`, kind: 'system' })) }
}

export const systemRenderer: Renderer = { kinds: ['system'], render }
