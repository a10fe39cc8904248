import { hasIpv6 } from '@/model/internet/wan'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import { type InternetSource, internetSources, type PolicyRoute, policyRoutes, staticRoutes } from '../../unix/routes'
import { portWarnings, type Uplink, wans } from '../../unix/wans'
import { wiredRules } from '../../unix/wired-rules'
import type { Need } from '../../words'
import { fileBlock } from '../area/area'
import { adoptLink } from '../area/imported'
import { startPath, unitPath } from '../base/oneshot'
import {
  type Choice,
  type Paths,
  type PolicyRoute as PathsPolicy,
  pathsName,
  pathsScript,
  pathsScriptPath,
  pathsUnitText,
  type Way,
} from '../base/paths'
import { wanProposals } from '../unmanaged/proposals'
import { importedFor, linkOf, uplinkBlocks } from '../uplinks/wan-links'
import { filtered, filtered6, translationBlocks, uplinkCuts } from '../uplinks/wan-rules'
import { ddnsBlocks } from './ddns'

/** Why a way cannot be set: its interface is not there or can have no VLAN, or somebody else's settings stand on it. */
function obstacle(one: Uplink, { facts, observation: seen, imported }: RenderInput): Warning | undefined {
  const found = seen?.interfaces?.find(other => other.name === one.interface)
  const about = { kind: 'wan', document: one.id, blocks: true }
  if (!found) return { ...about, code: 'wanMissing', values: { wan: one.name, interface: one.interface } }
  if (one.vlan !== undefined && facts.capabilities.includes('noVlan'))
    return { ...about, code: 'needs.vlan', values: { vlan: one.vlan } }
  if (one.connection === 'kept' || !found.configuredBy || importedFor(one, imported)) return undefined
  if (found.configuredBy.startsWith('/etc/systemd/network/05-lanward-wan-')) return undefined
  const values = { wan: one.name, interface: one.interface, by: found.configuredBy }
  return { ...about, code: 'wanUnmanaged', values }
}

/** A file of somebody else's has no place for IPv6. */
const imported6 = (ways: readonly Uplink[], imported: RenderInput['imported']): Warning[] =>
  ways
    .filter(one => hasIpv6(one) && importedFor(one, imported))
    .map(one => ({ code: 'importedWan6', kind: 'wan', document: one.id, values: { wan: one.name } }))

const wayOf = (one: Uplink): Way => ({
  document: one.id,
  interface: linkOf(one),
  metric: one.metric,
  weight: one.weight,
  targets: one.targets,
})

type Led = { policies: PathsPolicy[]; choices: Choice[]; warnings: Warning[] }

/** What names ways that the device has, by their numbers; a way that it does not have is named, its traffic left as it is. */
function placed(policies: readonly PolicyRoute[], sources: readonly InternetSource[], ways: readonly Uplink[]): Led {
  const at = (one: PolicyRoute['wan']) =>
    ways.findIndex(way => way.interface === one.interface && way.vlan === one.vlan)
  const numbers = (one: InternetSource) =>
    one.wans
      .map(at)
      .filter(number => number >= 0)
      .sort((a, b) => a - b)
  return {
    policies: policies.flatMap(one =>
      at(one.wan) < 0 ? [] : [{ source: one.source, destination: one.destination, way: at(one.wan) }],
    ),
    choices: sources
      .filter(one => numbers(one).length > 0)
      .map(one => ({ segments: one.segments, ways: numbers(one), mode: one.mode, strict: one.strict })),
    warnings: [
      ...policies
        .filter(one => at(one.wan) < 0)
        .map(one => ({
          code: 'policyWithoutWan' as const,
          kind: 'policyRoute',
          document: one.id,
          values: { route: one.name, wan: one.wan.name },
        })),
      ...sources
        .filter(one => numbers(one).length < one.wans.length)
        .map(one => ({
          code: 'sourceWithoutWan' as const,
          kind: 'internetSource',
          document: one.id,
          values: { source: one.name },
        })),
    ],
  }
}

const scriptBlocks = (paths: Paths): NativeBlock[] =>
  paths.ways.length + paths.routes.length === 0
    ? []
    : [
        fileBlock(pathsScriptPath, pathsScript(paths)),
        fileBlock(unitPath(pathsName), pathsUnitText),
        fileBlock(startPath(pathsName), `[Unit]\nWants=${pathsName}.service\n`),
      ]

const needs = (all: readonly Uplink[]): Need[] => [
  'root',
  'systemd',
  ...(all.some(one => one.nat || one.dmzHost !== undefined || one.ipv6 !== 'off') ? ['nftables' as const] : []),
  ...(all.some(one => one.connection === 'pppoe') ? ['pppoe' as const] : []),
  ...(all.some(one => one.ddns !== 'off') ? ['inadyn' as const] : []),
]

function render(input: RenderInput): Rendered {
  const { facts, observation, documents, imported } = input
  const [all, routes, policies] = [wans(documents), staticRoutes(documents), policyRoutes(documents)]
  const sources = internetSources(documents)
  if (all.length + routes.length + policies.length + sources.length === 0 || !fits(facts))
    return { blocks: [], warnings: [] }
  const lacking = missingNeed(facts, needs(all))
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind: 'wan', blocks: true }] }
  const obstacles = all.flatMap(one => obstacle(one, input) ?? [])
  const ways = all.filter(one => !obstacles.some(warning => warning.document === one.id))
  const led = placed(policies, sources, ways)
  return {
    blocks: [
      ...uplinkBlocks(
        ways.filter(one => one.connection !== 'kept'),
        input,
      ),
      ...translationBlocks(ways, wiredRules(documents)),
      ...ddnsBlocks(ways),
      ...scriptBlocks({ ways: ways.map(wayOf), routes, policies: led.policies, choices: led.choices }),
    ],
    warnings: [
      ...obstacles,
      ...portWarnings(all, observation?.ports),
      ...imported6(ways, imported),
      ...led.warnings,
      ...filtered(ways, observation),
      ...filtered6(ways, observation),
    ],
  }
}

const fits = (facts: RenderInput['facts']): boolean => facts.kind === 'gateway' || facts.kind === 'firewall'

/** `pppoe-eth3` stops with its carrier and with its login. */
const interrupted = /^file:\/etc\/(?:systemd\/network\/05-lanward-wan-(.+)\.network|lanward\/pppoe-(.+)\.conf)$/

/**
 * Ways to the internet: addresses by networkd and pppd, translation by nftables, failover and balancing by a script of
 * ours, dynamic DNS by inadyn.
 */
export const internetRenderer: Renderer = {
  // Firewall rules say what IPv6 lets in.
  kinds: ['wan', 'internetSource', 'staticRoute', 'policyRoute', 'wiredRule'],
  render,
  proposes: wanProposals,
  adopt: adoptLink,
  fits,
  interrupts: block => {
    const [, name, carrier] = interrupted.exec(block.id) ?? []
    const found = name ?? carrier
    return found ? { interfaces: [found] } : undefined
  },
  cuts: uplinkCuts,
}
