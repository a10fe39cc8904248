import type { Lan } from '@/model/lan/lan'
import { textOptions } from '@/model/rules'
import { addressing, type LanNetwork } from './lans'

/** An option's number and content: what the network says itself, then what its own fields mean, unless it says it itself. */
export type DhcpOption = { code: number; addresses?: string[]; bytes?: Buffer; text?: string }

const contentOf = ({ type, value }: Lan['options'][number]): Omit<DhcpOption, 'code'> => {
  if (type === 'address') return { addresses: value.split(',').map(one => one.trim()) }
  return type === 'hex' ? { bytes: Buffer.from(value, 'hex') } : { text: value }
}

/** Numbers of RFC 2132: routers and name servers. */
const numbers = { router: 3, nameServers: 6, winsServers: 44, winsNode: 46 } as const
/** Ask the servers first, then everybody (RFC 2132 section 8.7, H-node). */
const hybrid = Buffer.from([8])

/** What clients are told, by number: the network's own options go before what its other fields mean, and `more`. */
export function dhcpOptions(network: LanNetwork, more: readonly DhcpOption[] = []): DhcpOption[] {
  const { own } = addressing(network)
  const servers = [network.dns1, network.dns2].filter(one => one !== undefined)
  const implied: DhcpOption[] = [
    { code: numbers.router, addresses: [own] },
    { code: numbers.nameServers, addresses: servers.length > 0 ? servers : [own] },
    ...(network.wins.length > 0
      ? [
          { code: numbers.winsServers, addresses: network.wins },
          { code: numbers.winsNode, bytes: hybrid },
        ]
      : []),
  ]
  const given = network.options.map(one => ({ code: one.code, ...contentOf(one) }))
  return [...[...implied, ...more].filter(one => !given.some(other => other.code === one.code)), ...given].sort(
    (a, b) => a.code - b.code,
  )
}

const hex = (bytes: Buffer) => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join(':')

/** dnsmasq reads digits alone as a number, also in quotes; one byte in hexadecimal it reads as one, too. */
function textValue(code: number, text: string): string {
  if (textOptions.has(code) || !/^\d+$/.test(text)) return `"${text.replace(/["\\]/g, '\\$&')}"`
  return text.length === 1 ? String(text.charCodeAt(0)) : hex(Buffer.from(text))
}

/** An option as dnsmasq takes it, `66,"boot.test"`; the same on every system that runs it. */
export const optionWords = ({ code, addresses, bytes, text }: DhcpOption): string =>
  `${code},${addresses?.join(',') ?? (bytes ? hex(bytes) : textValue(code, text ?? ''))}`
