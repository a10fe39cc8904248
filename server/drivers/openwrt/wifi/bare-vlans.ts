import type { Rendered, Renderer, RenderInput } from '../../driver'
import { renderOnce } from '../../render-once'
import { lanRenderer } from '../lan/lan'
import { bareNetwork, lanBridge, vlanNetwork } from '../ports/vlans'
import { wifiRenderer } from './wifi'

const joins = /\.network='lw_lan(\d+)'/

/** VLANs that wireless networks of this plan join and that no LAN network of it makes, each for who joins it first. */
function render(input: RenderInput): Rendered {
  const bridge = lanBridge(input.observation)
  if (!bridge) return { blocks: [], warnings: [] }
  const made = new Set(renderOnce(lanRenderer, input).blocks.map(block => block.id))
  const first = new Map<number, string | undefined>()
  for (const block of renderOnce(wifiRenderer, input).blocks) {
    const vlan = Number(joins.exec(block.text)?.[1])
    if (vlan > 0 && !first.has(vlan) && !made.has(`uci:network.${vlanNetwork(vlan)}`)) first.set(vlan, block.document)
  }
  const blocks = [...first]
    .sort(([a], [b]) => a - b)
    .flatMap(([vlan, document]) => bareNetwork(bridge, vlan, { kind: 'ssid', ...(document && { document }) }))
  return { blocks, warnings: [] }
}

/** What wireless networks need beside their own sections; whether the device can send them is not for this to say. */
export const bareVlansRenderer: Renderer = {
  kinds: [...new Set([...wifiRenderer.kinds, ...lanRenderer.kinds])],
  reads: wifiRenderer.reads,
  render,
  fits: () => false,
}
