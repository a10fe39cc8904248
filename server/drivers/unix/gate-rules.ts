import { openDestinations } from '@/model/profiles/portal'
import { pageAddress } from './gate-page'
import type { LanNetwork } from './lans'
import { addresses, interfaces, set } from './nft'

// The guests' gate as one nftables table. Who is in is state: sets and maps outlive a reload, which fills chains anew.

export const gateTable = 'inet lanward_gate'
/** Where requests of those who are not in are led to. */
export const redirectPort = 19_543
/** Upper half of every guest's mark: `4c57:1234` is its class, 0x4c571234 its mark. */
export const markBase = 0x4c57_0000
/** Classes of bandwidth rules lie below. */
export const firstGuest = 0x1000

export type GatedLan = { network: LanNetwork; link: string }
/** The portal on the manager, as guests reach it. */
export type PortalPlace = { address: string; port: number }

/** Where guests are sent to, of `RenderInput.gate`. */
export function portalPlace(url: string): PortalPlace {
  const { hostname, port } = new URL(url)
  return { address: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
}

const isAddress = (one: string) => one.includes(':') || /^[\d./]+$/.test(one)
const walled = ({ portal }: LanNetwork) => (portal ? openDestinations(portal) : [])
/** Names that are open to guests, with everything below them. */
export const openNames = (network: LanNetwork): string[] => walled(network).filter(one => !isAddress(one))
const openAddresses = (network: LanNetwork, version: 4 | 6) => addresses(walled(network).filter(isAddress), version)

type OpenSet = { name: string; word: 'ip' | 'ip6'; head: string[]; elements: string[] }

/** Destinations that are open: by address as they are set, by name as the network's DNS server finds them. */
function openSets({ network }: GatedLan): OpenSet[] {
  return ([4, 6] as const).flatMap(version => {
    const word = version === 4 ? 'ip' : ('ip6' as const)
    const type = `type ipv${version}_addr`
    const elements = openAddresses(network, version)
    const fixed = {
      name: `open${version}_${network.vlan}`,
      word,
      head: [type, 'flags interval', 'auto-merge'],
      elements,
    }
    const found = {
      ...{ name: `found${version}_${network.vlan}`, word, elements: [] },
      head: [type, 'flags timeout', 'timeout 1d', 'size 8192'],
    }
    return [...(elements.length > 0 ? [fixed] : []), ...(openNames(network).length > 0 ? [found] : [])] as OpenSet[]
  })
}

/** Lines of the network's DNS server: each answer goes into the set before the guest has it. */
export const followLines = (network: LanNetwork): string[] =>
  openNames(network).map(name => {
    const into = ([4, 6] as const).map(one => `${one}#${gateTable.replace(' ', '#')}#found${one}_${network.vlan}`)
    return `nftset=/${name}/${into.join(',')}`
  })

const block = (head: string, lines: readonly string[]) =>
  [`\t${head} {`, ...lines.map(line => `\t\t${line}`), '\t}'].join('\n')

/**
 * Of each guest: `in` and `mark_of` by where it is and its MAC address, all else by the mark that its connections bear,
 * so that both its addresses and both directions count on one quota. `until` ends its session, `awake` it when it sends
 * nothing. Those without `timeout` are taken away by whoever lets guests in.
 */
const state = [
  block('set in', ['type ifname . ether_addr', 'flags timeout']),
  block('map mark_of', ['type ifname . ether_addr : mark']),
  block('set until', ['type mark', 'flags timeout']),
  block('set awake', ['type mark', 'size 65536', 'flags dynamic,timeout']),
  block('map use_of', ['type mark : quota']),
  block('map class_of', ['type mark : classid']),
  block('set over_up', ['type mark', 'limit rate over 1 kbytes/second']),
  block('set over_down', ['type mark', 'limit rate over 1 kbytes/second']),
  block('set asked', ['type ether_addr', 'size 4096', 'flags dynamic,timeout', 'timeout 10s']),
]

const isIn = 'iifname . ether saddr @in'
const marks = 'ct mark set iifname . ether saddr map @mark_of'

type Chain = { name: string; hook?: string; lines: string[] }

// A packet of an open connection is judged like the first: nothing passes for being established.
function chains(lans: readonly GatedLan[], { address, port }: PortalPlace): Chain[] {
  const links = interfaces(lans.map(one => one.link))
  const word = address.includes(':') ? 'ip6' : 'ip'
  const open = (way: 'iifname' | 'oifname', end: 'saddr' | 'daddr') =>
    lans.flatMap(lan => openSets(lan).map(one => `${way} "${lan.link}" ${one.word} ${end} @${one.name} return`))
  const toPortal = `${word} daddr ${address} tcp dport ${port}`
  return [
    {
      name: 'refused',
      lines: ['meta l4proto tcp counter reject with tcp reset', 'counter reject with icmpx admin-prohibited'],
    },
    {
      name: 'up',
      lines: [
        marks,
        'ct mark != @awake goto refused',
        'quota name ct mark map @use_of goto refused',
        ...lans.map(
          ({ link, network }) =>
            `iifname "${link}" update @awake { ct mark timeout ${(network.portal?.idleMinutes ?? 0) * 60}s }`,
        ),
        'ct mark @over_up drop',
        'meta priority set ct mark map @class_of',
      ],
    },
    {
      name: 'down',
      lines: [
        'quota name ct mark map @use_of drop',
        'ct mark @over_down drop',
        'meta priority set ct mark map @class_of',
      ],
    },
    {
      name: 'from_guest',
      lines: [
        `${toPortal} return`,
        // Browsers try https first: it is refused at once, and they come by http.
        `ip daddr ${pageAddress} goto refused`,
        ...open('iifname', 'daddr'),
        `${isIn} goto up`,
        'goto refused',
      ],
    },
    {
      name: 'to_guest',
      lines: [
        // Nobody begins a connection to a guest.
        'ct direction original drop',
        'ct mark @until ct mark @awake goto down',
        `${word} saddr ${address} tcp sport ${port} return`,
        ...open('oifname', 'saddr'),
        'drop',
      ],
    },
    {
      name: 'to_gateway',
      lines: [
        `tcp dport ${redirectPort} ct status dnat ct original ip daddr ${pageAddress} accept`,
        // Opened before, to somewhere else: a browser that keeps it would be led to the page once more.
        `tcp dport ${redirectPort} ct status dnat ${isIn} jump stale`,
        `tcp dport ${redirectPort} accept`,
        `${toPortal} accept`,
        `${isIn} accept`,
        // Enough for a page, too little to carry anything else in names.
        'udp dport 53 add @asked { ether saddr limit rate over 20/second burst 100 packets } drop',
        'udp dport { 53, 67, 547 } accept',
        'tcp dport 53 accept',
        'icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept',
        'goto refused',
      ],
    },
    { name: 'stale', lines: [marks, 'ct mark @until ct mark @awake goto refused'] },
    { name: 'known', lines: [marks, 'ct mark @until ct mark @awake accept'] },
    {
      name: 'redirected',
      lines: [
        `ip daddr ${pageAddress} tcp dport 80 redirect to :${redirectPort}`,
        `${isIn} jump known`,
        `${toPortal} return`,
        ...open('iifname', 'daddr'),
        `tcp dport 80 redirect to :${redirectPort}`,
      ],
    },
    {
      name: 'prerouting',
      hook: 'type nat hook prerouting priority dstnat - 5; policy accept;',
      lines: [`iifname ${links} jump redirected`],
    },
    {
      name: 'input',
      hook: 'type filter hook input priority filter - 5; policy accept;',
      lines: [`iifname ${links} goto to_gateway`, `tcp dport ${redirectPort} drop`],
    },
    {
      name: 'forward',
      hook: 'type filter hook forward priority filter - 5; policy accept;',
      lines: [`iifname ${links} jump from_guest`, `oifname ${links} jump to_guest`],
    },
  ]
}

/** The file: what is there already is kept, chains and addresses that are set are made anew, all at once. */
export function gateRules(lans: readonly GatedLan[], portal: PortalPlace): string {
  const sets = lans.flatMap(openSets)
  const all = chains(lans, portal)
  const declared = [
    ...state,
    ...sets.map(one => block(`set ${one.name}`, one.head)),
    ...all.map(({ name, hook }) => block(`chain ${name}`, hook ? [hook] : [])),
  ]
  const filled = sets.filter(one => one.elements.length > 0)
  const elements = ({ name, elements: list }: OpenSet) =>
    `add element ${gateTable} ${name} ${list.length === 1 ? `{ ${list[0]} }` : set(list)}`
  return `#!/usr/sbin/nft -f
# Written by Lanward. Changes made here are replaced.
table ${gateTable} {
${declared.join('\n')}
}
${[
  ...filled.map(({ name }) => `flush set ${gateTable} ${name}`),
  ...all.map(({ name }) => `flush chain ${gateTable} ${name}`),
  ...filled.map(elements),
].join('\n')}
table ${gateTable} {
${all.map(({ name, lines }) => block(`chain ${name}`, lines)).join('\n')}
}
`
}
