import type { Renderer } from '../../driver'
import { aboutSteering, steeringSettings, steeringWarning } from '../../unix/steering'

/** Debian has no service by which access points agree on their clients; hostapd alone knows of no other. */
export const steeringRenderer: Renderer = {
  kinds: [aboutSteering.kind],
  render: ({ documents }) => ({
    blocks: [],
    warnings: steeringSettings(documents) ? [steeringWarning('steeringOpenwrt')] : [],
  }),
  fits: facts => facts.capabilities.includes('wifi'),
}
