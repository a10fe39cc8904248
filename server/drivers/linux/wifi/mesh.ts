import type { Renderer } from '../../driver'
import { aboutMesh, meshSettings, meshWarning } from '../../unix/mesh'

/** hostapd sends networks out and is in none: a mesh takes wpa_supplicant, which these devices do not have run for it. */
export const meshRenderer: Renderer = {
  kinds: [aboutMesh.kind],
  render: ({ documents }) => ({ blocks: [], warnings: meshSettings(documents) ? [meshWarning('meshOpenwrt')] : [] }),
  fits: facts => facts.capabilities.includes('wifi'),
}
