import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../driver'
import type { Observation } from '../observation'
import { chain, interfaces, table } from '../unix/nft'
import { type PolicyRoute, policyRoutes, type StaticRoute, staticRoutes } from '../unix/routes'
import { type Uplink, wans } from '../unix/wans'
import { fileBlock } from './area'
import type { Addressing } from './foreign/links'
import { wanProposals } from './foreign/proposals'
import { linkBlock, takenLink } from './foreign/taken'
import { startPath } from './lan'
import { type Oneshot, unitPath, unitText, wantsPath, wantsText } from './oneshot'
import {
  type PolicyRoute as PathsPolicy,
  pathsName,
  pathsScript,
  pathsScriptPath,
  pathsUnitText,
  type Way,
} from './paths'

export const wanPath = (name: string): string => `/etc/systemd/network/05-lanward-wan-${name}.network`
export const vlanPath = (name: string): string => `/etc/systemd/network/05-lanward-wan-${name}.netdev`

export const translation: Oneshot = {
  name: 'lanward-nat',
  file: '/etc/lanward/nat.nft',
  description: 'Address translation to the internet, as set in Lanward',
  after: 'nftables.service\nWants=network-pre.target\nBefore=network-pre.target',
  start: ['/usr/sbin/nft -f /etc/lanward/nat.nft'],
  stop: ['-/usr/sbin/nft delete table ip lanward_nat'],
}

const head = '# Written by Lanward. Changes made here are replaced.'
const text = (...lines: string[]) => `${[head, ...lines].join('\n')}\n`

/** The interface that carries the traffic: the VLAN's where there is one. */
export const linkOf = ({ interface: name, vlan }: Uplink): string => (vlan === undefined ? name : `wan${vlan}`)

// Behind every route that somebody else set: which way is taken is decided by the script's own table.
const metricOf = ({ metric }: Uplink) => 1024 + metric

function addressLines(one: Uplink): string[] {
  if (one.connection === 'dhcp')
    return ['[Network]', 'DHCP=ipv4', 'IPForward=ipv4', '', '[DHCPv4]', `RouteMetric=${metricOf(one)}`]
  return [
    '[Network]',
    `Address=${one.address}/${one.prefix}`,
    'IPForward=ipv4',
    '',
    '[Route]',
    `Gateway=${one.gateway}`,
    `Metric=${metricOf(one)}`,
  ]
}

/** Somebody else's file for the interface, where it was taken over and can say the way. */
const takenBy = (one: Uplink, owned: RenderInput['taken']) =>
  one.vlan === undefined && one.connection !== 'kept' ? takenLink(owned, one.interface) : undefined

const addressingOf = ({ connection, address = '', prefix = 0, gateway }: Uplink): Addressing =>
  connection === 'dhcp' ? { connection } : { connection: 'static', address, prefix, ...(gateway && { gateway }) }

/** An interface of its own: what it is called, how it is addressed, and the VLAN it may be in. */
function linkBlocks(one: Uplink, owned: RenderInput['taken']): NativeBlock[] {
  const about = { kind: 'wan', document: one.id }
  const link = linkOf(one)
  const taken = takenBy(one, owned)
  if (taken) return [linkBlock(taken, addressingOf(one), about)]
  const own = fileBlock(
    wanPath(link),
    text('[Match]', `Name=${link}`, '', '[Link]', 'RequiredForOnline=no', '', ...addressLines(one)),
    about,
  )
  if (one.vlan === undefined) return [own]
  // IEEE 802.1p: all that leaves has the kernel's priority 0, which the frame's tag turns into the one wanted.
  const priority = one.vlanPriority === undefined ? [] : [`EgressQOSMaps=0-${one.vlanPriority}`]
  return [
    own,
    fileBlock(
      vlanPath(link),
      text('[NetDev]', `Name=${link}`, 'Kind=vlan', '', '[VLAN]', `Id=${one.vlan}`, ...priority),
      about,
    ),
    fileBlock(
      wanPath(one.interface),
      text(
        '[Match]',
        `Name=${one.interface}`,
        '',
        '[Link]',
        'RequiredForOnline=no',
        '',
        '[Network]',
        `VLAN=${link}`,
        'LinkLocalAddressing=no',
      ),
      about,
    ),
  ]
}

/** Why a way cannot be set: its interface is not there, or somebody else's settings stand on it. */
function obstacle(one: Uplink, { observation: seen, taken }: RenderInput): Warning | undefined {
  const found = seen?.interfaces?.find(other => other.name === one.interface)
  const about = { kind: 'wan', document: one.id, blocks: true }
  if (!found) return { ...about, code: 'wanMissing', values: { wan: one.name, interface: one.interface } }
  if (one.connection === 'kept' || !found.configuredBy || takenBy(one, taken)) return undefined
  if (found.configuredBy.startsWith('/etc/systemd/network/05-lanward-wan-')) return undefined
  const values = { wan: one.name, interface: one.interface, by: found.configuredBy }
  return { ...about, code: 'wanForeign', values }
}

const wayOf = (one: Uplink): Way => ({
  interface: linkOf(one),
  metric: one.metric,
  weight: one.weight,
  targets: one.targets,
})

function natBlocks(all: readonly Uplink[]): NativeBlock[] {
  const links = all.filter(one => one.nat).map(linkOf)
  if (links.length === 0) return []
  const about = { kind: 'wan' }
  const hook = 'type nat hook postrouting priority srcnat + 5; policy accept;'
  const rules = table('ip lanward_nat', [chain('postrouting', hook, [`oifname ${interfaces(links)} masquerade`])])
  return [
    fileBlock(translation.file, rules, about),
    fileBlock(unitPath(translation.name), unitText(translation), about),
    fileBlock(wantsPath(translation.name), wantsText(translation.name), about),
  ]
}

/** A chain that drops what is forwarded may keep clients from a way that it does not know. */
const filtered = (all: readonly Uplink[], seen: Observation | undefined): Warning[] =>
  (seen?.filters ?? [])
    .filter(one => one.stops && one.hook === 'forward')
    .flatMap(one =>
      all
        .filter(({ connection }) => connection !== 'kept')
        .map(wan => ({
          code: 'wanFiltered',
          kind: 'wan',
          document: wan.id,
          values: { wan: wan.name, interface: linkOf(wan), chain: one.chain },
        })),
    )

type Wanted = { all: Uplink[]; routes: StaticRoute[]; policies: PolicyRoute[] }

/** A policy's way is one of the device's own; one that the device does not have is named, and its traffic left as it is. */
function placed({ policies }: Wanted, ways: readonly Uplink[]): { policies: PathsPolicy[]; warnings: Warning[] } {
  const at = (one: PolicyRoute) =>
    ways.findIndex(way => way.interface === one.wan.interface && way.vlan === one.wan.vlan)
  return {
    policies: policies.flatMap(one =>
      at(one) < 0 ? [] : [{ source: one.source, destination: one.destination, way: at(one) }],
    ),
    warnings: policies
      .filter(one => at(one) < 0)
      .map(one => ({
        code: 'policyWithoutWan',
        kind: 'policyRoute',
        document: one.id,
        values: { route: one.name, wan: one.wan.name },
      })),
  }
}

function scriptBlocks(ways: readonly Uplink[], { routes }: Wanted, policies: readonly PathsPolicy[]): NativeBlock[] {
  if (ways.length + routes.length === 0) return []
  return [
    fileBlock(pathsScriptPath, pathsScript(ways.map(wayOf), routes, policies)),
    fileBlock(unitPath(pathsName), pathsUnitText),
    fileBlock(startPath(pathsName), `[Unit]\nWants=${pathsName}.service\n`),
  ]
}

function render(input: RenderInput): Rendered {
  const { facts, observation, documents, taken } = input
  const wanted = { all: wans(documents), routes: staticRoutes(documents), policies: policyRoutes(documents) }
  const { all, routes, policies } = wanted
  if (all.length + routes.length + policies.length === 0 || !fits(facts)) return { blocks: [], warnings: [] }
  const needs = ['root', 'systemd', ...(all.some(one => one.nat) ? ['nftables'] : [])]
  const lacking = needs.find(need => !facts.capabilities.includes(need))
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind: 'wan', blocks: true }] }
  const obstacles = all.flatMap(one => obstacle(one, input) ?? [])
  const ways = all.filter(one => !obstacles.some(warning => warning.document === one.id))
  const own = ways.filter(one => one.connection !== 'kept')
  const led = placed(wanted, ways)
  return {
    blocks: [
      ...own.flatMap(one => linkBlocks(one, taken)),
      ...(own.some(one => !takenBy(one, taken))
        ? [fileBlock(startPath('lanward-wan-networkd'), '[Unit]\nWants=systemd-networkd.service\n', { kind: 'wan' })]
        : []),
      ...natBlocks(ways),
      ...scriptBlocks(ways, wanted, led.policies),
    ],
    warnings: [...obstacles, ...led.warnings, ...filtered(ways, observation)],
  }
}

const fits = (facts: RenderInput['facts']): boolean => facts.kind === 'gateway' || facts.kind === 'firewall'

/** Ways to the internet: addresses by networkd, translation by nftables, failover and balancing by a script of ours. */
export const internetRenderer: Renderer = {
  kinds: ['wan', 'staticRoute', 'policyRoute'],
  render,
  proposes: wanProposals,
  fits,
  interrupts: block => {
    const [, name] = /^file:\/etc\/systemd\/network\/05-lanward-wan-(.+)\.network$/.exec(block.id) ?? []
    return name ? { interfaces: [name] } : undefined
  },
}
