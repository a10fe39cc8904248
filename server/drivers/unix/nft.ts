import { ipv4Number, ipv6Groups } from '@/model/addresses'

// Words of the nftables language. It has no way to escape a quote: only what cannot hold one is ever quoted.

/** A name as a remark line: nothing that ends the line, hides, or turns the direction of what follows. */
export const remark = (text: string): string => `# ${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, '')}`

/** One value as it is, several as an anonymous set. */
export const set = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] as string) : `{ ${values.join(', ')} }`

const interfaceName = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,14}$/
/** Interfaces by name; one whose name could mean something else in the language is left out. */
export const interfaces = (names: readonly string[]): string =>
  set(names.filter(name => interfaceName.test(name)).map(name => `"${name}"`))

/** Ports as `model/rules.ts` keeps them: `80,443,8000-8100`. */
export const ports = (list: string): string => set(list.split(','))

/** The leading bits that an address or a segment fixes. */
function bits(text: string): string {
  const [address = '', prefix] = text.split('/')
  const groups = address.includes(':') ? (ipv6Groups(address) ?? []) : undefined
  const all = groups
    ? groups.map(group => group.toString(2).padStart(16, '0')).join('')
    : (ipv4Number(address) ?? 0).toString(2).padStart(32, '0')
  return prefix === undefined ? all : all.slice(0, Number(prefix))
}

/** Whether one of these addresses and segments is, or holds, the address. */
export const holds = (list: readonly string[], address: string): boolean =>
  list.some(one => versionOf(one) === versionOf(address) && bits(address).startsWith(bits(one)))

/** nft does not read the mixed form of IPv6, `::ffff:192.0.2.1`. */
function spelt(text: string): string {
  const [address = '', prefix] = text.split('/')
  if (!address.includes(':') || !address.includes('.')) return text
  const groups = (ipv6Groups(address) ?? []).map(group => group.toString(16)).join(':')
  return prefix === undefined ? groups : `${groups}/${prefix}`
}

export type Version = 4 | 6
export const versionOf = (address: string): Version => (address.includes(':') ? 6 : 4)

/** The addresses of one version; none that lies in another of them, which nftables refuses in a set. */
export function addresses(list: readonly string[], version: Version): string[] {
  const known = list.filter(one => versionOf(one) === version).map(text => ({ text, bits: bits(text) }))
  return known
    .filter(
      (one, at) =>
        !known.some(
          (other, index) =>
            index !== at && one.bits.startsWith(other.bits) && (one.bits.length > other.bits.length || index < at),
        ),
    )
    .map(one => spelt(one.text))
}

type Addressed = { version?: Version; sources: string[]; destinations: string[] }

/**
 * Source and destination by the versions that both can have; empty lists mean any address. With both lists empty a
 * single one of no version: the rule is for either.
 */
export function addressVersions(sources: readonly string[], destinations: readonly string[]): Addressed[] {
  if (sources.length + destinations.length === 0) return [{ sources: [], destinations: [] }]
  return ([4, 6] as const).flatMap(version => {
    const [from, to] = [addresses(sources, version), addresses(destinations, version)]
    if ((sources.length > 0 && from.length === 0) || (destinations.length > 0 && to.length === 0)) return []
    return [{ version, sources: from, destinations: to }]
  })
}

/** The same as matches of a rule, one for each. */
export const addressMatches = (sources: readonly string[], destinations: readonly string[]): string[] =>
  addressVersions(sources, destinations).map(one => {
    const word = one.version === 6 ? 'ip6' : 'ip'
    return words(
      one.sources.length > 0 && `${word} saddr ${set(one.sources)}`,
      one.destinations.length > 0 && `${word} daddr ${set(one.destinations)}`,
    )
  })

/** The parts that are there, with blanks between. */
export const words = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join(' ')

export const chain = (name: string, hook: string, lines: readonly string[]): string =>
  [`\tchain ${name} {`, `\t\t${hook}`, ...lines.map(line => `\t\t${line}`), '\t}'].join('\n')

/** A table as a file that replaces what was loaded before, all at once. */
export const table = (name: string, parts: readonly string[]): string =>
  `#!/usr/sbin/nft -f
# Written by Lanward. Changes made here are replaced.
table ${name}
delete table ${name}
table ${name} {
${parts.join('\n')}
}
`
