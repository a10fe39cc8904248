import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import type { Facts, Interface } from '../../observation'
import { handle, type Limit, limitsOf, queueScript, shapingParts, withoutQueue } from '../../unix/bandwidth'
import { table } from '../../unix/nft'
import { uplinks } from '../../unix/uplinks'
import { type Oneshot, unitPath, unitText, wantsPath, wantsText } from '../base/oneshot'
import { containerBridge } from '../observe/interfaces'
import { script } from '../observe/observe'
import { type Area, blockPath, fileBlock } from './area'
import { ownFile, type RulesFile, rulesBlocks } from './rules-file'

export const shapingFile: RulesFile = {
  name: 'lanward-shaping',
  path: '/etc/lanward/shaping.nft',
  description: 'Which traffic is limited, as set in Lanward',
  tables: ['inet lanward_shaping'],
}

const queues: Oneshot = {
  name: 'lanward-queues',
  file: '/etc/lanward/queues.sh',
  description: 'Queues of limited traffic, as set in Lanward',
  after: 'network.target networking.service systemd-networkd.service',
  start: ['/bin/sh /etc/lanward/queues.sh start'],
  stop: ['/bin/sh /etc/lanward/queues.sh stop'],
}

const isGateway = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

/** Where traffic leaves towards clients: everything with an address that does not lead to the internet. */
const inside = (interfaces: readonly Interface[], outside: readonly string[]): string[] =>
  interfaces
    .filter(one => one.addresses?.some(address => !address.includes(':')) && !outside.includes(one.name))
    .filter(one => one.type !== 'loopback' && one.type !== 'tunnel' && !containerBridge.test(one.name))
    .map(one => one.name)
    .sort()

const kind = 'bandwidthRule'

/** What stands in the way: a tool that is missing, no way out known, a queue that somebody else has laid. */
function obstacles({ facts, observation }: RenderInput, used: readonly string[]): Warning[] {
  const lacking = missingNeed(facts, ['root', 'systemd', 'nftables', 'tc'])
  if (lacking) return [{ code: `needs.${lacking}`, kind, blocks: true }]
  if (uplinks(observation?.interfaces).length === 0) return [{ code: 'noUplink', kind, blocks: true }]
  return (observation?.interfaces ?? [])
    .filter(one => one.shaper && used.includes(one.name))
    .map(one => ({
      code: 'queueUnmanaged',
      kind,
      blocks: true,
      values: { interface: one.name, queue: one.shaper ?? '' },
    }))
}

function blocksOf(limits: readonly Limit[], outside: string[], within: string[]): NativeBlock[] {
  const about = { kind, ...(limits.length === 1 && { document: limits[0]?.id }) }
  return [
    ...rulesBlocks(shapingFile, table('inet lanward_shaping', shapingParts(limits, outside)), about),
    fileBlock(queues.file, queueScript(limits, outside, within), about),
    fileBlock(unitPath(queues.name), unitText(queues)),
    fileBlock(wantsPath(queues.name), wantsText(queues.name)),
  ]
}

function render(input: RenderInput): Rendered {
  const limits = limitsOf(input.documents)
  if (limits.length === 0 || !isGateway(input.facts)) return { blocks: [], warnings: [] }
  const interfaces = input.observation?.interfaces ?? []
  const outside = uplinks(interfaces)
  const within = inside(interfaces, outside)
  const warnings = obstacles(input, [...outside, ...within])
  return warnings.length > 0 ? { blocks: [], warnings } : { blocks: blocksOf(limits, outside, within), warnings }
}

/** Bandwidth rules: nftables sorts packets into classes, a queue on each interface holds the classes to their rates. */
export const shapingRenderer: Renderer = { kinds: [kind], render, fits: isGateway }

/** The queues; the table beside them is an area like the firewall's. */
export const queuesArea: Area = {
  files: [ownFile(queues.file, '644'), ownFile(unitPath(queues.name), '644'), ownFile(wantsPath(queues.name), '644')],
  settle: () => [
    // The script that knows how the queues are taken off may be gone.
    `if [ -e ${queues.file} ]; then serve restart ${queues.name}.service || return 1
else serve stop ${queues.name}.service 2>/dev/null
for dev in /sys/class/net/*; do
dev=\${dev##*/}
${withoutQueue(handle, '"$dev"')}
done
fi
:`,
  ],
  async verify(session, blocks) {
    if (!blocks.some(block => blockPath(block) === queues.file)) return []
    const { code, stderr } = await script(session, `sh ${queues.file} check`, [], 20_000)
    return code === 0 ? [] : [{ code: 'queuesDown', kind, values: { error: stderr.trim().slice(0, 200) } }]
  },
}
